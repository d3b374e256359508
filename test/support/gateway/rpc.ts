/** Sends requests to a gateway without a socket. Every answer is checked against the schemas of the specification. */
import { messagesOf } from '../event-stream.js';
import { checkAnswers } from '../wire-schemas.js';
import type { GatewayApp } from './gateway.js';

type Injected = Awaited<ReturnType<GatewayApp['inject']>>;

export const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  host: '127.0.0.1:3000',
};

/** A JSON-RPC response as it came over the wire. */
export interface RpcResponse {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** POSTs a body, an object as JSON and a text as it is. */
export async function post(app: GatewayApp, body: unknown, headers: Record<string, string> = {}): Promise<Injected> {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await app.inject({ method: 'POST', url: '/mcp', headers: { ...HEADERS, ...headers }, payload });
  const isStream = String(response.headers['content-type']).startsWith('text/event-stream');
  if (response.body !== '') checkAnswers({ body }, isStream ? messagesOf(response.body) : [response.json()]);
  return response;
}

export function initializeRequest(
  protocolVersion = '2025-11-25',
  capabilities: Record<string, unknown> = { elicitation: {}, sampling: {}, roots: {} },
): Record<string, unknown> {
  const params = { protocolVersion, capabilities, clientInfo: { name: 'test', version: '1' } };
  return { jsonrpc: '2.0', id: 'init', method: 'initialize', params };
}

/** Opens a session. @returns its id */
export async function openSession(app: GatewayApp, protocolVersion?: string, capabilities?: Record<string, unknown>): Promise<string> {
  const response = await post(app, initializeRequest(protocolVersion, capabilities));
  const sessionId = response.headers['mcp-session-id'];
  if (typeof sessionId !== 'string') throw new Error(`no session: ${response.statusCode} ${response.body}`);
  return sessionId;
}

/** A client's side of one session. */
export interface RpcSession {
  readonly id: string;
  readonly headers: Record<string, string>;
  call(method: string, params?: Record<string, unknown>): Promise<RpcResponse>;
}

/** A new session. */
export async function rpcSession(app: GatewayApp, protocolVersion?: string, capabilities?: Record<string, unknown>): Promise<RpcSession> {
  return sessionAt(app, await openSession(app, protocolVersion, capabilities));
}

/** A session that was opened before, here or at another gateway. */
export function sessionAt(app: GatewayApp, id: string): RpcSession {
  const headers = { 'mcp-session-id': id };
  let requestId = 0;
  return {
    id,
    headers,
    async call(method, params) {
      requestId += 1;
      const response = await post(app, { jsonrpc: '2.0', id: requestId, method, ...(params && { params }) }, headers);
      // An answer that took longer than the gateway's patience came on a stream.
      if (!String(response.headers['content-type']).startsWith('text/event-stream')) return response.json<RpcResponse>();
      return messagesOf(response.body).at(-1) as unknown as RpcResponse;
    },
  };
}
