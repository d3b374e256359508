import type { IncomingHttpHeaders } from 'node:http';
import { classifyInboundRequest, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { GENERATION } from './extension.js';

/**
 * Whether the request is one of revision 2026-07-28, or has to be refused by its rules. Sessions are of the other
 * generation; the id of one on a request that names this revision means nothing.
 */
export function isOf2026(headers: IncomingHttpHeaders, body: unknown): boolean {
  if (headers['mcp-session-id'] !== undefined && headers['mcp-protocol-version'] !== GENERATION && !namesRevision(body)) return false;
  if (isPlainly(headers, body)) return true;
  const outcome = classifyInboundRequest({ httpMethod: 'POST', body, ...standardHeaders(headers) });
  // Whatever version it asks for in whichever place, `initialize` is the other generation's, which offers the one that it has.
  return outcome.kind === 'modern' || (outcome.kind === 'reject' && methodOf(body) !== 'initialize');
}

/** Most requests of that revision, found without a look at their metadata: the SDK looks at that again, and refuses what is wrong. */
function isPlainly(headers: IncomingHttpHeaders, body: unknown): boolean {
  if (headers['mcp-protocol-version'] !== GENERATION || typeof body !== 'object' || body === null) return false;
  const method = methodOf(body);
  return typeof method === 'string' && method !== 'initialize' && !('result' in body) && !('error' in body);
}

/** Whether the metadata of a message names a revision, as only messages of the newer generation do. */
function namesRevision(body: unknown): boolean {
  const { params } = (body ?? {}) as { readonly params?: { readonly _meta?: Readonly<Record<string, unknown>> | null } | null };
  return params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined;
}

function methodOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'method' in body ? body.method : undefined;
}

function standardHeaders(headers: IncomingHttpHeaders): Partial<Parameters<typeof classifyInboundRequest>[0]> {
  const { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': name } = headers;
  return {
    ...(typeof version === 'string' && { protocolVersionHeader: version }),
    ...(typeof method === 'string' && { mcpMethodHeader: method }),
    ...(typeof name === 'string' && { mcpNameHeader: name }),
  };
}
