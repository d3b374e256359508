/** Sends requests of revision 2026-07-28 to a gateway without a socket. */
import type { GatewayApp } from '../gateway/gateway.js';
import { messagesOf } from '../event-stream.js';
import { post, type RpcResponse } from '../gateway/rpc.js';

const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
export const KNOWS_TASKS = { extensions: { [TASKS_EXTENSION]: {} } };

/** A request's description of its client. */
export interface ModernClient {
  readonly capabilities?: object;
  readonly logLevel?: string;
  readonly protocolVersion?: string;
}

/** An answer, and the messages before it. */
export interface ModernAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: RpcResponse;
  readonly before: readonly Record<string, unknown>[];
}

type Params = Readonly<Record<string, unknown>>;

/** The params with everything that this revision wants to be there. */
export function withEnvelope(params: Params, { capabilities = {}, logLevel, protocolVersion = '2026-07-28' }: ModernClient = {}): Params {
  return {
    ...params,
    _meta: {
      ...(params['_meta'] as object | undefined),
      'io.modelcontextprotocol/protocolVersion': protocolVersion,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': capabilities,
      ...(logLevel !== undefined && { 'io.modelcontextprotocol/logLevel': logLevel }),
    },
  };
}

/** The headers that go with a request. */
export function modernHeaders(method: string, { name, uri, taskId }: Params = {}): Record<string, string> {
  const named = name ?? uri ?? taskId;
  return { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(typeof named === 'string' && { 'mcp-name': named }) };
}

/** Sends a request that is as it should be. */
export function ask(app: GatewayApp, method: string, params: Params = {}, client: ModernClient = {}): Promise<ModernAnswer> {
  return send(app, { jsonrpc: '2.0', id: 'ask', method, params: withEnvelope(params, client) }, modernHeaders(method, params));
}

/** Sends any body with any headers. */
export async function send(app: GatewayApp, body: unknown, headers: Record<string, string>): Promise<ModernAnswer> {
  const response = await post(app, body, headers);
  const isStream = String(response.headers['content-type']).startsWith('text/event-stream');
  const messages = isStream ? messagesOf(response.body) : [response.json<Record<string, unknown>>()];
  return {
    status: response.statusCode,
    headers: response.headers,
    body: messages.at(-1) as unknown as RpcResponse,
    before: messages.slice(0, -1),
  };
}
