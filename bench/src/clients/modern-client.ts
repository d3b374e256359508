/** A minimal client of revision 2026-07-28, so that the load costs little compared with the measured processes. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { createParser } from 'eventsource-parser';

const TASKS = 'io.modelcontextprotocol/tasks';
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'longhaul-bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { extensions: { [TASKS]: {} } },
};

/** A task in its status and its notifications. */
interface Details {
  readonly taskId: string;
  readonly status: string;
  readonly result?: { readonly content: readonly { readonly text: string }[] };
}

interface Message {
  readonly method?: string;
  readonly params?: Details;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

export class ModernClient {
  readonly #agent: Agent;
  #nextId = 0;

  constructor(
    private readonly url: string,
    connections: number,
  ) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  close(): void {
    this.#agent.destroy();
  }

  /** @throws Error when the answer is an error */
  async call(method: string, params: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
    const response = await this.#post(method, params);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
    const { result, error } = JSON.parse(text) as Message;
    if (result === undefined) throw new Error(`${method}: ${error?.message ?? text}`);
    return result;
  }

  /** Creates a task and returns its id. */
  async createTask(name: string): Promise<string> {
    return String((await this.call('tools/call', { name, arguments: {} }))['taskId']);
  }

  /** Listens to a task until it has ended. @returns the text of its result */
  async endOf(taskId: string): Promise<string> {
    const response = await this.#post('subscriptions/listen', { notifications: { taskIds: [taskId] } });
    const messages: Message[] = [];
    const parser = createParser({ onEvent: ({ data }) => messages.push(JSON.parse(data) as Message) });
    for await (const chunk of response.setEncoding('utf8')) {
      parser.feed(chunk as string);
      for (const { method, params } of messages.splice(0)) {
        if (method !== 'notifications/tasks' || params?.status !== 'completed') continue;
        response.destroy();
        return params.result?.content[0]?.text ?? '';
      }
    }
    throw new Error(`The stream ended before the task ${taskId}.`);
  }

  #post(method: string, params: Readonly<Record<string, unknown>>): Promise<IncomingMessage> {
    this.#nextId += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id: this.#nextId, method, params: { ...params, _meta: META } });
    const name = params['name'] ?? params['taskId'];
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'content-length': Buffer.byteLength(body),
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    };
    return new Promise((resolve, reject) => {
      request(this.url, { method: 'POST', agent: this.#agent, headers }, resolve).on('error', reject).end(body);
    });
  }
}
