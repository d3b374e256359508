/** A server that does what the test says, down to the HTTP status: for what no proper server would do on demand. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

/** A JSON-RPC request that came in, and the ways to answer it. */
export interface Exchange {
  readonly id: unknown;
  readonly method: string;
  readonly params: Json;
  readonly headers: IncomingHttpHeaders;
  /** When it came, milliseconds. */
  readonly at: number;
  /** Answers with one JSON body. */
  result(result: Json): void;
  error(code: number, message: string, data?: unknown, status?: number): void;
  /** Answers with any JSON body. */
  body(body: Json, status: number): void;
  /** Answers with an HTTP status and no JSON-RPC. */
  status(status: number): void;
  /** Answers with an event stream, which begins with these messages. */
  stream(...messages: Json[]): Stream;
  /** Breaks the connection without an answer. */
  cut(): void;
}

export interface Stream {
  send(message: Json): void;
  result(result: Json): void;
  end(): void;
  cut(): void;
  /** Calls back when the stream is over, no matter which side ended it. */
  onClose(callback: () => void): void;
}

/** Answers a request. What returns `false` is answered with -32601. */
export type Script = (exchange: Exchange) => unknown;

export interface ScriptedServer {
  readonly url: string;
  readonly port: number;
  /** Every request of a method, oldest first. */
  requests(method: string): Exchange[];
  /** Notifications and responses that came. */
  readonly sent: Json[];
  /** Opens the next standalone stream, if the script accepts them. */
  readonly standalone: Stream[];
  close(): Promise<void>;
}

export interface ScriptedServerOptions {
  readonly port?: number;
  readonly acceptsStandaloneStreams?: boolean;
  /** Called with each notification and response that came. */
  readonly onSent?: (message: Json) => void;
  /** The HTTP status of notifications and responses. @defaultValue 202 */
  readonly statusOfSent?: (headers: IncomingHttpHeaders) => number;
  /** Answers a request before it is read. @returns whether it has */
  readonly first?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export async function startScriptedServer(script: Script, options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  const exchanges: Exchange[] = [];
  const sent: Json[] = [];
  const standalone: Stream[] = [];
  const server = createServer((request, response) => void serve(request, response));
  // An idle connection must not end in the moment in which a client uses it again.
  server.keepAliveTimeout = 0;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (options.first?.(request, response) === true) return;
    if (request.method === 'GET' && options.acceptsStandaloneStreams === true) return void standalone.push(openStream(response, undefined));
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const message = JSON.parse(body) as Json;
    if (message['id'] === undefined || message['method'] === undefined) {
      sent.push(message);
      options.onSent?.(message);
      const status = options.statusOfSent?.(request.headers) ?? 202;
      return void response.writeHead(status).end(status === 202 ? undefined : 'Unsupported MCP-Protocol-Version');
    }
    const exchange = exchangeOf(message, request, response);
    exchanges.push(exchange);
    if (script(exchange) === false) exchange.error(-32_601, 'Method not found', undefined, 404);
  }

  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    port,
    requests: (method) => exchanges.filter((exchange) => exchange.method === method),
    sent,
    standalone,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function exchangeOf(message: Json, request: IncomingMessage, response: ServerResponse): Exchange {
  const { id, method, params = {} } = message as { id: unknown; method: string; params?: Json };
  const json = (status: number, body: Json, headers = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  };
  return {
    id,
    method,
    params,
    headers: request.headers,
    at: performance.now(),
    result: (result) => json(200, { result }, method === 'initialize' ? { 'mcp-session-id': `session-${Math.random()}` } : {}),
    error: (code, text, data, status = 200) => json(status, { error: { code, message: text, ...(data !== undefined && { data }) } }),
    body: (body, status) => json(status, body),
    status: (status) => void response.writeHead(status).end(),
    stream: (...messages) => {
      const stream = openStream(response, id);
      for (const each of messages) stream.send(each);
      return stream;
    },
    cut: () => void request.socket.destroy(),
  };
}

function openStream(response: ServerResponse, id: unknown): Stream {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  const send = (message: Json): void => void response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
  return {
    send,
    result: (result) => {
      send({ id, result });
      response.end();
    },
    end: () => void response.end(),
    cut: () => void response.destroy(),
    onClose: (callback) => void response.on('close', callback),
  };
}

/** Does what the first script says that does not return `undefined`. */
export function firstOf(...scripts: Script[]): Script {
  return (exchange) => {
    for (const script of scripts) {
      const answered = script(exchange);
      if (answered !== undefined) return answered;
    }
    return false;
  };
}

/** Answers the requests of the named methods, each by its function. */
export function methods(table: Readonly<Record<string, (exchange: Exchange) => unknown>>): Script {
  return (exchange) => {
    const answer = table[exchange.method];
    if (answer === undefined) return undefined;
    answer(exchange);
    return true;
  };
}

/** Greets clients of generation 2026-07-28. */
export const greeting2026 = methods({
  'server/discover': ({ result }) =>
    result({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
      ttlMs: 0,
      cacheScope: 'private',
    }),
});

/** Greets clients of generation 2025-11-25, which does not know the greeting of the other one. */
export const greeting2025 = methods({
  'server/discover': ({ status }) => status(400),
  initialize: ({ result }) =>
    result({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
      serverInfo: { name: 'scripted', version: '1' },
    }),
  ping: ({ result }) => result({}),
  'tools/list': ({ result }) =>
    result({ tools: [{ name: 'work', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } }] }),
});

let tick = 0;

/** A client that goes by it is too late for any test. */
const LATE_MS = 3_600_000;

/** A task of generation 2026-07-28. Later calls make later states. */
export function task2026(status: string, more: Json = {}): Json {
  return { ...times(), taskId: 'task-1', status, ttlMs: 60_000, pollIntervalMs: LATE_MS, ...more };
}

/** A task of generation 2025-11-25. Later calls make later states. */
export function task2025(status: string, more: Json = {}): Json {
  return { ...times(), taskId: 'task-1', status, ttl: 60_000, pollInterval: LATE_MS, ...more };
}

function times(): Json {
  tick += 1;
  return { createdAt: new Date(1_800_000_000_000).toISOString(), lastUpdatedAt: new Date(1_800_000_000_000 + tick).toISOString() };
}

/** A result of a tool call with one text. */
export function done(text = 'done'): Json {
  return { resultType: 'complete', content: [{ type: 'text', text }] };
}

/** The acknowledgement of a `subscriptions/listen`. */
export function acknowledgement({ id, params }: Exchange, notifications: unknown = params['notifications']): Json {
  return {
    method: 'notifications/subscriptions/acknowledged',
    params: { _meta: { 'io.modelcontextprotocol/subscriptionId': id }, notifications },
  };
}
