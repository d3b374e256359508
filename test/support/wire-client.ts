/** Sends requests of both protocol versions over a socket. */
import { messagesOf } from './event-stream.js';
import { modernHeaders, withEnvelope } from './gateway-2026/rpc.js';

const KNOWS_TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} }, elicitation: { form: {} } };
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** The answer. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly session: string | null;
  readonly result: Record<string, unknown> | undefined;
  readonly error: { readonly code: number; readonly message: string } | undefined;
}

async function post(url: string, body: object, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', headers: { ...HEADERS, ...headers }, body: JSON.stringify(body) });
  const text = await response.text();
  const answer = text.startsWith('{') ? (JSON.parse(text) as object) : (messagesOf(text).at(-1) ?? {});
  const { result, error } = answer as Pick<Answer, 'result' | 'error'>;
  const { headers: got, status } = response;
  return { status, retryAfter: got.get('retry-after'), session: got.get('mcp-session-id'), result, error };
}

/** A request of revision 2026-07-28, from a client that knows tasks. */
export function modern(
  url: string,
  method: string,
  params: Record<string, unknown>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const body = { jsonrpc: '2.0', id: 1, method, params: withEnvelope(params, { capabilities: KNOWS_TASKS }) };
  return post(url, body, { ...headers, ...modernHeaders(method, params) });
}

/** A request of revision 2025-11-25, in a session or the one that opens it. */
export function older(
  url: string,
  method: string,
  params: Record<string, unknown>,
  session?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const body = { jsonrpc: '2.0', id: 1, method, params };
  return post(url, body, { ...headers, ...(session !== undefined && { 'mcp-session-id': session }) });
}

/** The request that opens a session. */
export const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo: { name: 'test', version: '1' } };
