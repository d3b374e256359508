/** Provides a handwritten client of revision 2026-07-28: its requests and their answers are visible in the test. */
import { openStream, type OpenStream } from '../gateway/stream.js';

const REVISION = '2026-07-28';
export const TASKS = 'io.modelcontextprotocol/tasks';

const META = 'io.modelcontextprotocol/';
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** The answer to one request. */
export interface Answer {
  readonly status: number;
  readonly result: Record<string, unknown>;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } | undefined;
  /** The messages before the answer. */
  readonly notifications: readonly Record<string, unknown>[];
}

/** A client. It has no session: each request says all of it again. */
export interface ModernClient {
  /** Sends a request, and waits for its answer. */
  call(method: string, params?: object, meta?: object): Promise<Answer>;
  /** Sends a request, and reads what comes as it comes. */
  open(method: string, params?: object, meta?: object): Promise<OpenStream>;
  /** The same client at another gateway. */
  at(gateway: { readonly url: string }): ModernClient;
  /** Calls a tool. */
  tool(name: string, args?: object, more?: object): Promise<Answer>;
}

/** All that a client of tasks can do. */
export const ASKED_CLIENT = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
  extensions: { [TASKS]: {} },
};

/** The same for a client that knows no tasks. */
export const PLAIN_CLIENT = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

let requests = 0;

/** @param headers of each request, in addition to its own */
export function modernClient(
  { url }: { readonly url: string },
  capabilities: object = ASKED_CLIENT,
  headers: Readonly<Record<string, string>> = {},
): ModernClient {
  const open = (method: string, params: object = {}, meta: object = {}): Promise<OpenStream> => {
    requests += 1;
    const request = requestOf(`r-${requests}`, method, params, { capabilities, meta });
    return openStream(url, { ...request, headers: { ...request.headers, ...headers } });
  };
  const call = async (method: string, params?: object, meta?: object): Promise<Answer> => answerOf(await open(method, params, meta));
  return {
    call,
    open,
    at: (gateway) => modernClient(gateway, capabilities, headers),
    tool: (name, args = {}, more = {}) => call('tools/call', { name, arguments: args, ...more }),
  };
}

/** A request as it goes over the wire. */
export function requestOf(
  id: string | number,
  method: string,
  params: object,
  { capabilities = ASKED_CLIENT, meta = {} }: { readonly capabilities?: object; readonly meta?: object } = {},
) {
  const given = params as Record<string, unknown>;
  const name = given[NAMED_BY[method] ?? ''];
  const _meta = {
    [`${META}protocolVersion`]: REVISION,
    [`${META}clientInfo`]: { name: 'modern-client', version: '1.0.0' },
    [`${META}clientCapabilities`]: capabilities,
    ...meta,
  };
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...given, _meta } }),
  };
}

/** The answer of a request that was opened. */
export async function answerOf(stream: OpenStream): Promise<Answer> {
  await stream.ended();
  const { status, headers } = stream.response;
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  const messages = isStream ? stream.messages() : [JSON.parse(stream.text()) as Record<string, unknown>];
  const { result, error } = (messages.at(-1) ?? {}) as { readonly result?: Answer['result']; readonly error?: Answer['error'] };
  return { status, result: result ?? {}, error, notifications: messages.slice(0, -1) };
}
