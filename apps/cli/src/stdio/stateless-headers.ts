/**
 * Makes headers for requests of revision 2026-07-28, which has no sessions. Each request states its revision in its `_meta`, and on HTTP
 * headers must repeat a part of it.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import { traitsOf } from '@longhaul/gateway/methods';

import type { Incoming } from './incoming.js';
import { isJsonObject } from '@longhaul/tasks/json';

/** The member of `_meta` that states the revision. */
export const PROTOCOL_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** Headers may have only these characters, and a text that looks like an encoded one must be encoded. */
const PLAIN = /^(?!=\?base64\?)(?! )[ -~]*(?<! )$/;

/** @returns undefined for everything else than a single request that says which revision it is of */
export function statelessHeaders({ requests: [request], isBatch }: Incoming): OutgoingHttpHeaders | undefined {
  if (isBatch || request === undefined || !isJsonObject(request.params)) return undefined;
  const { method, params } = request;
  const meta = params['_meta'];
  const version = isJsonObject(meta) ? meta[PROTOCOL_VERSION_KEY] : undefined;
  if (typeof version !== 'string') return undefined;
  const { subject } = traitsOf(method);
  const name = subject === undefined ? undefined : params[subject];
  return {
    'mcp-protocol-version': encoded(version),
    'mcp-method': encoded(method),
    ...(typeof name === 'string' && { 'mcp-name': encoded(name) }),
  };
}

function encoded(text: string): string {
  return PLAIN.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
