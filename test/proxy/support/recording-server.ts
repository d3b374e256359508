/**
 * A server that records what each of its connections received, remembers what it was told in a session and says it again, and asks. It is a
 * program on standard input and output (`node recording-server.ts LEDGER NAME`), or a URL (`startRecordingUrl`).
 */
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

/** A message that a connection received. */
export interface LedgerLine {
  readonly server: string;
  /** The id of the session, or of the process. */
  readonly connection: string;
  readonly message: Message;
}

export interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: unknown;
}

type Say = (message: object) => void;
/** Arguments of a tool: a mark of its call. */
interface Marked {
  readonly mark?: string;
}

export const BEHAVIOURS = ['echo', 'report', 'log', 'ask', 'roots', 'rest'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];
/** Of the tools that are called as tasks. */
export const AS_TASK = '_task';

const text = (value: unknown): object => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });
const inputSchema = { type: 'object', properties: { mark: { type: 'string' } } };

/** A connection: what it was told stays in its memory. */
class Recording {
  /** Marks of calls. One that all callers share keeps nothing of them. */
  readonly #told: string[] = [];
  readonly #resting = new Map<string | number, PromiseWithResolvers<object>>();
  readonly #asked = new Map<string, PromiseWithResolvers<unknown>>();
  readonly server: string;
  readonly id: string;
  readonly note: (line: LedgerLine) => void;

  // Node runs this file as it is, and does not know properties in parameters.
  constructor(server: string, id: string, note: (line: LedgerLine) => void) {
    this.server = server;
    this.id = id;
    this.note = note;
  }

  /** @param say sends a message to the client, on the stream of the request if there is one */
  async take(message: Message, say: Say): Promise<object | undefined> {
    this.note({ server: this.server, connection: this.id, message });
    const { id, method, params = {} } = message;
    if (method === undefined) {
      const given = message.result ?? message.error;
      this.#asked.get(String(id))?.resolve(given);
      this.#tell(JSON.stringify(given));
      return undefined;
    }
    if (method === 'notifications/cancelled') this.#resting.get(params['requestId'] as string)?.resolve(text('cancelled'));
    if (id === undefined) return undefined;
    const result = await this.#resultOf(id, method, params, say);
    return result === undefined ? { id, error: { code: -32_601, message: 'Method not found' } } : { id, result };
  }

  async #resultOf(id: string | number, method: string, params: Record<string, unknown>, say: Say): Promise<object | undefined> {
    const template = { uriTemplate: `${this.server}://{mark}`, name: 'told' };
    if (method === 'initialize')
      return {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, prompts: {}, resources: { subscribe: true }, logging: {} },
        serverInfo: { name: this.server, version: '1' },
      };
    if (method === 'ping' || method === 'logging/setLevel' || method === 'resources/unsubscribe') return {};
    if (method === 'tools/list')
      return { tools: BEHAVIOURS.flatMap((name) => [name, `${name}${AS_TASK}`].map((each) => ({ name: each, inputSchema }))) };
    if (method === 'prompts/list') return { prompts: [{ name: 'told', arguments: [{ name: 'mark' }] }] };
    if (method === 'resources/list') return { resources: [] };
    if (method === 'resources/templates/list') return { resourceTemplates: [template] };
    if (method === 'resources/subscribe') {
      say({ method: 'notifications/resources/updated', params: { uri: params['uri'] } });
      return {};
    }
    if (method === 'resources/read') {
      const uri = String(params['uri']);
      this.#tell(uri);
      return { contents: [{ uri, text: this.#all() }] };
    }
    const { mark = '' } = (params['arguments'] ?? {}) as Marked;
    this.#tell(mark);
    if (method === 'prompts/get') return { messages: [{ role: 'user', content: { type: 'text', text: this.#all() } }] };
    if (method === 'tools/call') return this.#call(id, params, mark, say);
    return undefined;
  }

  async #call(id: string | number, params: Record<string, unknown>, mark: string, say: Say): Promise<object> {
    const behaviour = String(params['name']).replace(AS_TASK, '') as Behaviour;
    const { progressToken } = (params['_meta'] ?? {}) as { progressToken?: string | number };
    const form = { mode: 'form', message: mark, requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
    switch (behaviour) {
      case 'echo':
        return text(this.#all());
      case 'report':
        for (const progress of [1, 2])
          if (progressToken !== undefined)
            say({ method: 'notifications/progress', params: { progressToken, progress, message: `${mark} ${progress}` } });
        return text(mark);
      case 'log':
        for (const level of ['debug', 'warning', 'error']) say({ method: 'notifications/message', params: { level, data: mark } });
        return text(mark);
      case 'ask':
        return text(await this.#ask('elicitation/create', form, say));
      case 'roots':
        return text(await this.#ask('roots/list', {}, say));
      case 'rest': {
        const rest = Promise.withResolvers<object>();
        this.#resting.set(id, rest);
        return rest.promise;
      }
    }
  }

  async #ask(method: string, params: object, say: Say): Promise<unknown> {
    const id = randomUUID();
    const answer = Promise.withResolvers<unknown>();
    this.#asked.set(id, answer);
    say({ id, method, params });
    return answer.promise;
  }

  #tell(told: string): void {
    if (!this.server.endsWith('shared')) this.#told.push(told);
  }

  #all(): string {
    return `${this.id}: ${this.#told.join(', ')}`;
  }
}

const framed = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });

/** A server with sessions over HTTP. Its answers come as streams. */
export interface RecordingUrl {
  readonly url: string;
  close(): Promise<void>;
}

export async function startRecordingUrl(name: string, note: (line: LedgerLine) => void): Promise<RecordingUrl> {
  /** Sessions, with their streams for messages of no request; what comes before there is one waits. */
  const sessions = new Map<string, { readonly recording: Recording; stream: ServerResponse | undefined; readonly waiting: object[] }>();
  const serve = async (request: IncomingMessage, body: string, response: ServerResponse): Promise<void> => {
    const message = body === '' ? undefined : (JSON.parse(body) as Message);
    if (message?.method === 'server/discover') return void response.writeHead(400).end();
    const id = message?.method === 'initialize' ? randomUUID() : (request.headers['mcp-session-id']?.toString() ?? '');
    if (message?.method === 'initialize') sessions.set(id, { recording: new Recording(name, id, note), stream: undefined, waiting: [] });
    const session = sessions.get(id);
    if (session === undefined) return void response.writeHead(404).end();
    if (request.method === 'DELETE') {
      sessions.delete(id);
      return void response.writeHead(200).end();
    }
    const send = (to: ServerResponse) => (each: object) => void to.write(`data: ${framed(each)}\n\n`);
    const sendAlone = (each: object): void => void (session.stream === undefined ? session.waiting.push(each) : send(session.stream)(each));
    if (message === undefined) {
      session.stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      for (const each of session.waiting.splice(0)) sendAlone(each);
      return;
    }
    if (message.id === undefined || message.method === undefined) {
      void session.recording.take(message, sendAlone);
      return void response.writeHead(202).end();
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': id }).flushHeaders();
    // A change of a resource belongs to no request.
    const say = message.method === 'resources/subscribe' ? sendAlone : send(response);
    const answer = await session.recording.take(message, say);
    if (answer !== undefined) send(response)(answer);
    response.end();
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += String(chunk)));
    request.on('end', () => void serve(request, body, response));
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function serveStdio(ledger: string, name: string): void {
  const recording = new Recording(name, `process-${process.pid}-${randomUUID()}`, (line) =>
    appendFileSync(ledger, `${JSON.stringify(line)}\n`),
  );
  const say: Say = (message) => void process.stdout.write(`${framed(message)}\n`);
  createInterface({ input: process.stdin }).on('line', (line) => {
    void recording.take(JSON.parse(line) as Message, say).then((answer) => answer && say(answer));
  });
}

if (import.meta.main) serveStdio(process.argv[2] ?? '', process.argv[3] ?? '');
