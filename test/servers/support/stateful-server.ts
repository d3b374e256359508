/** A server that keeps things of its one session in memory, and says what it was told: as a process, and over HTTP with sessions. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { oddServer } from './odd-server.js';

/** What the server does, as JavaScript that is given `method`, `params`, `id` and `say`, and keeps `state`. */
const ANSWERS = `
  const text = (value) => ({ content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }] });
  const { name, arguments: args } = params ?? {};
  if (method === 'tools/list') return { tools: ['add', 'told', 'rest', 'ask', 'report', 'write'].map(tool) };
  if (method === 'logging/setLevel') { state.level = params.level; return {}; }
  if (method === 'notifications/cancelled') { state.cancelled.push(params.requestId); const at = state.resting.get(params.requestId); state.stopped.push(at); return; }
  if (method === 'resources/list') return { resources: state.written.map((uri) => ({ uri, name: uri })) };
  if (method !== 'tools/call') return;
  if (name === 'add') { state.count += args.by ?? 1; return text(state.count); }
  if (name === 'write') { state.written.push(args.uri); return text('written'); }
  if (name === 'told') return text({ count: state.count, pid: state.pid, level: state.level, resting: [...state.resting.values()], stopped: state.stopped, written: state.written, asked: state.asked });
  if (name === 'rest') { state.resting.set(id, args.who); return 'none'; }
  if (name === 'report') {
    say({ method: 'notifications/progress', params: { progressToken: params._meta.progressToken, progress: 1, message: args.who } });
    return text(args.who);
  }
  if (name === 'ask') {
    state.asking.set('question-' + id, id);
    say({ id: 'question-' + id, method: 'roots/list' });
    return 'none';
  }
`;
const STATE = `{ count: 0, level: null, cancelled: [], stopped: [], written: [], asked: [], resting: new Map(), asking: new Map(), pid: process.pid }`;

/** A process with one session. */
export function statefulProcess(more: object = {}): object {
  return oddServer(
    {
      first: `
        const state = ${STATE};
        usual.initialize = { ...usual.initialize, capabilities: { tools: {}, resources: {}, logging: {} } };
        usual['logging/setLevel'] = {};
        process.stdin.on('data', (data) => {
          for (const line of String(data).split('\\n')) {
            if (!line.includes('"id":"question-')) continue;
            const { id, result, error } = JSON.parse(line);
            const found = result === undefined ? error.message : result.roots.map(({ uri }) => uri);
            state.asked.push(found);
            say({ id: state.asking.get(id), result: { content: [{ type: 'text', text: JSON.stringify(found) }] } });
          }
        });`,
      answers: ANSWERS,
    },
    more,
  );
}

/** A server with sessions over HTTP. */
export interface StatefulUrl {
  readonly url: string;
  /** The ids of the sessions that were begun, and of those that clients have ended. */
  readonly begun: readonly string[];
  readonly ended: readonly string[];
  /** Loses all sessions. */
  forget(): void;
  close(): Promise<void>;
}

type State = Record<string, unknown>;
type Answer = (...given: unknown[]) => object | undefined;

const GREETING = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, resources: {}, logging: {} },
  serverInfo: { name: 'stateful', version: '1' },
};

/** The same server at a URL. @param hasSessions whether clients get ids; otherwise all of them meet the same state */
export async function startStatefulUrl({ hasSessions = true } = {}): Promise<StatefulUrl> {
  // oxlint-disable-next-line typescript/no-implied-eval -- the code of the process
  const answer = new Function('method', 'params', 'id', 'state', 'say', 'tool', ANSWERS) as Answer;
  // oxlint-disable-next-line typescript/no-implied-eval -- the code of the process
  const newState = new Function(`return ${STATE}`) as () => State;
  const sessions = new Map<string, State>();
  const common = newState();
  const begun: string[] = [];
  const ended: string[] = [];

  const serve = (request: IncomingMessage, body: string, response: ServerResponse): void => {
    const session = request.headers['mcp-session-id']?.toString() ?? '';
    const { id, method, params } = (body === '' ? {} : JSON.parse(body)) as { id?: unknown; method?: string; params?: unknown };
    const isBeginning = method === 'initialize' || method === 'server/discover';
    const state = hasSessions ? sessions.get(session) : common;
    if (!isBeginning && state === undefined) return void response.writeHead(404).end();
    if (request.method === 'DELETE') {
      if (sessions.delete(session)) ended.push(session);
      return void response.writeHead(200).end();
    }
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const reply = (message: object, headers = {}): void =>
      void response
        .writeHead(200, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...message }));
    if (method === 'server/discover') return void response.writeHead(400).end();
    if (method === 'initialize') {
      const began = randomUUID();
      if (hasSessions) sessions.set(began, newState());
      if (hasSessions) begun.push(began);
      return reply({ result: GREETING }, hasSessions ? { 'mcp-session-id': began } : {});
    }
    const tool = (name: string): object => ({ name, inputSchema: { type: 'object' } });
    const result = answer(method, params, id, state, () => undefined, tool);
    if (id === undefined) return void response.writeHead(202).end();
    reply(result === undefined ? { error: { code: -32_601, message: 'Method not found' } } : { result });
  };

  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += String(chunk)));
    request.on('end', () => serve(request, body, response));
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    begun,
    ended,
    forget: () => sessions.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
