/** Requests of both protocol versions with a token, as they go over the wire, and what comes back. */
import { messagesOf } from '../../support/event-stream.js';

/** What came back. */
export interface TokenAnswer {
  readonly status: number;
  /** The header `WWW-Authenticate`. */
  readonly challenge: string | null;
  readonly session: string | null;
  readonly result: Record<string, unknown> | undefined;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } | undefined;
}

const CLIENT = { name: 'test', version: '1' };
const TASKS = 'io.modelcontextprotocol/tasks';
const NAMED_BY = ['name', 'uri', 'taskId'] as const;

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

/** POSTs a body. @param headers beside those of every POST */
function post(url: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body),
  });
}

/** Sends a body, and waits for the whole answer. @param headers beside those of every POST */
export async function send(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<TokenAnswer> {
  const response = await post(url, body, headers);
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const message = (isStream ? messagesOf(text).at(-1) : text === '' ? {} : JSON.parse(text)) as Pick<TokenAnswer, 'result' | 'error'>;
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate'),
    session: response.headers.get('mcp-session-id'),
    result: message.result,
    error: message.error,
  };
}

/** `initialize` of 2025-11-25. */
export const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT },
};

/** A client of one protocol version that shows a token. */
export interface TokenClient {
  readonly version: '2025-11-25' | '2026-07-28';
  /** Sends a request. @param token in place of that of the client */
  call(method: string, params?: Record<string, unknown>, token?: string): Promise<TokenAnswer>;
  /** Opens a stream, and hangs up. @returns the status */
  open(method: string, params: Record<string, unknown>, token: string): Promise<number>;
  /** What its requests are sent with, beside the token. */
  headersFor(method: string, params?: Record<string, unknown>): Record<string, string>;
}

let requests = 0;

async function statusOf(response: Response): Promise<number> {
  await response.body?.cancel();
  return response.status;
}

/** Opens a session. */
export async function client2025(url: string, token: string): Promise<TokenClient> {
  const { session, status } = await send(url, initialize, bearer(token));
  if (session === null) throw new Error(`There is no session: ${status}.`);
  const headersFor = (): Record<string, string> => ({ 'mcp-session-id': session });
  const message = (method: string, params: object): object => ({ jsonrpc: '2.0', id: ++requests, method, params });
  return {
    version: '2025-11-25',
    headersFor,
    call: (method, params = {}, as = token) => send(url, message(method, params), { ...bearer(as), ...headersFor() }),
    open: async (method, params, as) => statusOf(await post(url, message(method, params), { ...bearer(as), ...headersFor() })),
  };
}

/** @param capabilities by default, those of a client that knows tasks */
export function client2026(url: string, token: string, capabilities: object = { extensions: { [TASKS]: {} } }): TokenClient {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const headersFor = (method: string, params: Record<string, unknown> = {}): Record<string, string> => {
    const named = NAMED_BY.map((name) => params[name]).find((value) => typeof value === 'string');
    const isNamed = !['resources/subscribe', 'tools/list'].includes(method) && typeof named === 'string';
    return { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(isNamed && { 'mcp-name': named }) };
  };
  const message = (method: string, params: object): object => ({
    jsonrpc: '2.0',
    id: ++requests,
    method,
    params: { ...params, _meta: envelope },
  });
  return {
    version: '2026-07-28',
    headersFor,
    call: (method, params = {}, as = token) => send(url, message(method, params), { ...bearer(as), ...headersFor(method, params) }),
    open: async (method, params, as) =>
      statusOf(await post(url, message(method, params), { ...bearer(as), ...headersFor(method, params) })),
  };
}
