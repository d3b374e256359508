import type { ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { TerminalError } from '@longhaul/tasks';
import { requireJson } from './tool-result.js';

/** The return value of a resource: a full result, a text, bytes, or any other value, which is sent as JSON. */
export type ResourceReturn = ReadResourceResult | string | Uint8Array | object;

/**
 * Converts the return value of a resource into the result of `resources/read`; a full result stays as it is. @throws TerminalError for a
 * value that is not JSON
 */
export function resourceResultOf(
  value: ResourceReturn,
  { uri, mimeType }: { readonly uri: string; readonly mimeType: string | undefined },
): ReadResourceResult {
  if (isFullResult(value)) return value;
  if (typeof value === 'string') return { contents: [{ uri, mimeType: mimeType ?? 'text/plain', text: value }] };
  if (value instanceof Uint8Array)
    return { contents: [{ uri, mimeType: mimeType ?? 'application/octet-stream', blob: Buffer.from(value).toString('base64') }] };
  const text = JSON.stringify(requireJson(`Resource ${uri}`, value)) as string | undefined;
  if (text === undefined) throw new TerminalError(`Resource ${uri} returned undefined, which is nothing to send.`);
  return { contents: [{ uri, mimeType: mimeType ?? 'application/json', text }] };
}

function isFullResult(value: ResourceReturn): value is ReadResourceResult {
  return typeof value === 'object' && 'contents' in value && Array.isArray(value.contents);
}
