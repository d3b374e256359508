/** A tenant of the property that a proxy keeps callers apart: it acts over the wire, and remembers every byte that came back. */
import { randomBytes } from 'node:crypto';
import type { TaskClient } from '@longhaul/client';
import { Clients, type GENERATIONS } from '../../client/support/clients.js';
import { AS_TASK, type Behaviour } from './recording-server.js';

type Generation = (typeof GENERATIONS)[number];
export type Level = 'debug' | 'warning' | 'error';

const LOG_LEVEL_META_KEY = 'io.modelcontextprotocol/logLevel';
/** How long a call that is to be cancelled may take to reach the server, before the tenant gives up on it. */
const PATIENCE_MS = 60_000;

export class ProxiedTenant {
  /** Nobody else has it in anything that they send. */
  readonly canary = `canary-${randomBytes(12).toString('hex')}`;
  /** Everything that came to it. */
  readonly received: string[] = [];
  readonly levels: string[] = [];
  readonly updated: string[] = [];
  readonly subscribed = new Set<string>();
  /** The calls that it has cancelled, or left with a question. */
  readonly cancelled = new Set<string>();
  readonly #clients = new Clients();
  readonly #connected = new Map<Generation, TaskClient>();
  #calls = 0;

  constructor(
    readonly name: string,
    readonly level: Level,
    private readonly url: string,
  ) {}

  async open(generations: readonly Generation[]): Promise<void> {
    await Promise.all(generations.map(async (generation) => this.#connected.set(generation, await this.#connect(generation))));
    await this.setLevel();
  }

  async close(): Promise<void> {
    await this.#clients.close();
  }

  /** A call of a tool that ends by itself. */
  async call(generation: Generation, server: string, behaviour: Behaviour, isTask: boolean): Promise<void> {
    const mark = this.#mark();
    const onProgress = ({ message = '' }): void => void this.received.push(`progress of ${mark}: ${message}`);
    const meta = generation === '2026-07-28' ? { [LOG_LEVEL_META_KEY]: this.level } : {};
    const name = `${server}__${behaviour}${isTask ? AS_TASK : ''}`;
    // A request of the newer version ends with its question, and is made again with the answer.
    if (generation === '2026-07-28' && !isTask && ['ask', 'roots'].includes(behaviour)) this.cancelled.add(mark);
    const result = await this.#client(generation).callTool(name, { mark }, { onProgress, meta });
    this.received.push(JSON.stringify(result));
  }

  /** A call that is cancelled when the server has it. @param isThere whether the server has the call with the mark */
  async cancel(generation: Generation, server: string, isTask: boolean, isThere: (mark: string) => Promise<boolean>): Promise<void> {
    const mark = this.#mark();
    const abort = new AbortController();
    const name = `${server}__rest${isTask ? AS_TASK : ''}`;
    const called = this.#client(generation).callTool(
      name,
      { mark },
      { signal: AbortSignal.any([abort.signal, AbortSignal.timeout(PATIENCE_MS)]) },
    );
    const ended = called.then(
      (result) => `ended: ${JSON.stringify(result)}`,
      (error: unknown) => `failed: ${String(error)}`,
    );
    const isReady = await isThere(mark);
    this.cancelled.add(mark);
    abort.abort(new Error('cancelled by its tenant'));
    const end = await ended;
    this.received.push(end);
    if (!isReady || end !== 'failed: Error: cancelled by its tenant')
      throw new Error(`The call ${mark} was not cancelled by its tenant: ${end}`);
  }

  /** Reads a resource of the caller's session. */
  async read(generation: Generation, server: string): Promise<void> {
    await this.#client(generation).client.readResource({ uri: `${server}://${this.#mark()}` });
  }

  async prompt(generation: Generation, server: string): Promise<void> {
    await this.#client(generation).client.getPrompt({ name: `${server}__told`, arguments: { mark: this.#mark() } });
  }

  async subscribe(server: string): Promise<void> {
    const uri = `${server}://${this.#mark()}`;
    this.subscribed.add(uri);
    await this.#client('2025-11-25').client.subscribeResource({ uri });
  }

  async setLevel(): Promise<void> {
    await this.#client('2025-11-25').client.setLoggingLevel(this.level);
  }

  #mark(): string {
    this.#calls += 1;
    return `${this.canary}#${this.#calls}.`;
  }

  #client(generation: Generation): TaskClient {
    const client = this.#connected.get(generation);
    if (client === undefined) throw new Error(`${this.name} is not connected with ${generation}.`);
    return client;
  }

  async #connect(generation: Generation): Promise<TaskClient> {
    const client = await this.#clients.connect(this.url, {
      generation,
      transport: {
        requestInit: { headers: { 'longhaul-caller-secret': `secret-of-${this.canary}` } },
        fetch: (input, init) => this.#fetch(input, init),
      },
      onInput: {
        elicitation: (params) => {
          this.received.push(`question: ${JSON.stringify(params)}`);
          return { action: 'accept', content: { name: this.canary } };
        },
        roots: () => ({ roots: [{ uri: `file:///${this.canary}` }] }),
      },
    });
    client.client.setNotificationHandler('notifications/message', ({ params: { level } }) => void this.levels.push(level));
    client.client.setNotificationHandler('notifications/resources/updated', ({ params: { uri } }) => void this.updated.push(uri));
    return client;
  }

  /** Keeps what comes, also of streams that go on. */
  async #fetch(input: string | URL, init?: RequestInit): Promise<Response> {
    const response = await fetch(input, init);
    const { received } = this;
    const at = received.push(JSON.stringify([...response.headers])) - 1;
    if (response.body === null) return response;
    const decoder = new TextDecoder();
    const keep = new TransformStream<Uint8Array, Uint8Array>({
      transform: (part, controller) => {
        received[at] += decoder.decode(part, { stream: true });
        controller.enqueue(part);
      },
    });
    return new Response(response.body.pipeThrough(keep), response);
  }
}
