/** Sends single requests of revision 2026-07-28. The test can spoil all parts: headers, metadata and params. */
import { messagesOf } from '../event-stream.js';
import { checkAnswers } from '../wire-schemas.js';

const REVISION = '2026-07-28';
const META = 'io.modelcontextprotocol/';
/** Metadata without that prefix. */
const PLAIN: ReadonlySet<string> = new Set(['progressToken', 'traceparent']);

/** The differences from a correct client. */
export interface RawRequest {
  readonly params?: Record<string, unknown>;
  /** Metadata by its name without the protocol's prefix; what is undefined is left out. */
  readonly meta?: Record<string, unknown>;
  /** Headers; what is undefined is left out. */
  readonly headers?: Record<string, string | undefined>;
}

/** The whole response. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly id: unknown;
  readonly result: Record<string, unknown> | undefined;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } | undefined;
  /** The messages on the stream before the answer. */
  readonly notifications: readonly Record<string, unknown>[];
}

/** The request as it is sent, with the id `raw`. */
export function rawInit(method: string, { params = {}, meta = {}, headers = {} }: RawRequest = {}) {
  const name = params['name'] ?? params['uri'] ?? params['taskId'];
  const sent: Record<string, string | undefined> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    'mcp-name': typeof name === 'string' ? name : undefined,
    ...headers,
  };
  const said = { protocolVersion: REVISION, clientCapabilities: {}, ...meta };
  const _meta = Object.fromEntries(Object.entries(said).map(([key, value]) => [PLAIN.has(key) ? key : META + key, value]));
  return {
    method: 'POST',
    headers: Object.fromEntries(Object.entries(sent).filter((header): header is [string, string] => header[1] !== undefined)),
    body: JSON.stringify({ jsonrpc: '2.0', id: 'raw', method, params: { ...params, _meta } }),
  };
}

/** Sends a request, and reads the response to its end. */
export async function rawRequest(url: string, method: string, request?: RawRequest): Promise<RawResponse> {
  const init = rawInit(method, request);
  const response = await fetch(url, init);
  const text = await response.text();
  const messages = response.headers.get('content-type')?.includes('text/event-stream') === true ? messagesOf(text) : [JSON.parse(text)];
  checkAnswers({ body: JSON.parse(init.body) as unknown }, messages);
  const { id, result, error } = messages.at(-1) as Pick<RawResponse, 'id' | 'result' | 'error'>;
  return { status: response.status, headers: response.headers, id, result, error, notifications: messages.slice(0, -1) };
}
