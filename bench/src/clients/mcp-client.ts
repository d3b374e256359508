/** A minimal client of revision 2025-11-25, so that the load costs little compared with the measured processes. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { createParser } from 'eventsource-parser';

/** A JSON-RPC response. */
interface Answer {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** One session. */
export class McpClient {
  #session: string | undefined;
  #nextId = 0;

  private constructor(
    private readonly url: string,
    private readonly agent: Agent,
    private readonly token?: string,
  ) {}

  /** @param capabilities declared by the client. @param token sent by the client, if any */
  static async connect(url: string, connections: number, capabilities: object = {}, token?: string): Promise<McpClient> {
    const client = new McpClient(url, new Agent({ keepAlive: true, maxSockets: connections }), token);
    const clientInfo = { name: 'longhaul-bench', version: '1' };
    await client.call('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
    await client.#post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return client;
  }

  /** The owner of the session's tasks: without authentication, the session. */
  get owner(): string {
    return `session:${this.#session ?? ''}`;
  }

  /**
   * Opens the session's standalone stream, or resumes a stream after the named event.
   *
   * @param onEvent called for each event with its id and its data
   */
  openStream(url: string, onEvent: (id: string, data: string) => void, lastEventId?: string): Promise<IncomingMessage> {
    const headers = {
      accept: 'text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      'mcp-session-id': this.#session ?? '',
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(url, { agent: false, headers }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`The stream was refused with ${response.statusCode}.`));
        const parser = createParser({ onEvent: ({ id = '', data }) => onEvent(id, data) });
        response.setEncoding('utf8').on('data', (chunk: string) => parser.feed(chunk));
        response.on('error', () => undefined); // It was cut on purpose.
        resolve(response);
      });
      sent.on('error', reject).end();
    });
  }

  close(): void {
    this.agent.destroy();
  }

  /** @throws Error when the answer is an error */
  async call(method: string, params: object): Promise<Record<string, unknown>> {
    this.#nextId += 1;
    const text = await this.#post({ jsonrpc: '2.0', id: this.#nextId, method, params });
    const { result, error } = JSON.parse(text) as Answer;
    if (result === undefined) throw new Error(`${method}: ${error?.message ?? text}`);
    return result;
  }

  /** Creates a task and returns its id. */
  async createTask(name: string): Promise<string> {
    const { task } = await this.call('tools/call', { name, arguments: {}, task: { ttl: 60_000 } });
    return (task as { taskId: string }).taskId;
  }

  /** Waits for the result's text. */
  async resultOf(taskId: string): Promise<string> {
    const { content } = await this.call('tasks/result', { taskId });
    return (content as { text: string }[])[0]?.text ?? '';
  }

  #post(message: object): Promise<string> {
    const body = JSON.stringify(message);
    const headers: Record<string, string | number> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'content-length': Buffer.byteLength(body),
      'mcp-protocol-version': '2025-11-25',
      ...(this.#session !== undefined && { 'mcp-session-id': this.#session }),
      ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(this.url, { method: 'POST', agent: this.agent, headers }, (response) => {
        this.#session ??= response.headers['mcp-session-id'] as string | undefined;
        const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve(isStream ? lastData(text) : text)).on('error', reject);
      });
      sent.on('error', reject).end(body);
    });
  }
}

function lastData(stream: string): string {
  let last = '';
  createParser({ onEvent: ({ data }) => (last = data) }).feed(stream);
  return last;
}
