/** A stock client that can do everything a server may ask for, and records the requests and notifications that come. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type ClientCapabilities,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  type Notification,
  ProgressNotificationSchema,
  type Request,
  type Result,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { type Extra, MESSAGE } from '../../support/answering-clients.js';
import { waitUntil } from '../../support/wait-until.js';
import type { Answers, AskedClient, Message, Recorded } from './asked-client.js';

const CAPABILITIES: ClientCapabilities = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: { form: {}, url: {} },
  tasks: { list: {}, cancel: {}, requests: { elicitation: { create: {} }, sampling: { createMessage: {} } } },
};

/** Any answer of a server, with nothing left out. */
const AnyResult = z.looseObject({});

export class FullClient implements AskedClient {
  answers: Answers = {};
  readonly called = new Set<unknown>();
  readonly client: Client;
  readonly #store = new InMemoryTaskStore();
  #asked: Message[] = [];
  #notified: Message[] = [];

  private constructor(private readonly transport: Transport) {
    this.client = new Client({ name: 'side-by-side', version: '1' }, { capabilities: CAPABILITIES, taskStore: this.#store });
    const { client } = this;
    client.setRequestHandler(ListRootsRequestSchema, (request) => {
      this.#record(request);
      return { roots: [...(this.answers.roots ?? [])] };
    });
    const handler = (answer: () => Result) => (request: Request, extra: unknown) => this.#answer(request, extra as Extra, answer) as never;
    client.setRequestHandler(
      ElicitRequestSchema,
      handler(() => this.answers.elicit?.() ?? { action: 'cancel' }),
    );
    client.setRequestHandler(
      CreateMessageRequestSchema,
      handler(() => this.answers.sample?.() ?? MESSAGE),
    );
    const record = ({ method, params }: Notification) => void this.#notified.push({ method, params });
    // In place of the SDK's own handler, which drops what comes together with the answer.
    client.setNotificationHandler(ProgressNotificationSchema, record);
    client.fallbackNotificationHandler = async (notification) => record(notification);
  }

  static async connect(transport: Transport): Promise<FullClient> {
    const full = new FullClient(transport);
    await full.client.connect(transport);
    return full;
  }

  /** The session's id, where there is one. */
  get sessionId(): string | undefined {
    return this.transport.sessionId;
  }

  recorded(): Recorded {
    return { asked: [...this.#asked], notified: [...this.#notified] };
  }

  /** Resolves when so many notifications of this method have come. */
  async untilNotified(method: string, times = 1): Promise<void> {
    const hasCome = () => this.#notified.filter((message) => message.method === method).length >= times;
    await waitUntil(hasCome, { description: `${times} ${method} have come` });
  }

  forget(): void {
    this.#asked = [];
    this.#notified = [];
  }

  request(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const isCall = method === 'tools/call';
    if (isCall) this.called.add(params['name']);
    const asking = isCall ? { ...params, _meta: { progressToken: 'side-by-side' } } : params;
    return this.client.request({ method, params: asking }, AnyResult);
  }

  async close(): Promise<void> {
    await this.client.close();
    this.#store.cleanup();
  }

  #record({ method, params }: Request): void {
    const { _meta, ...rest } = params ?? {};
    this.#asked.push({ method, params: rest });
  }

  /** Answers in a task of the client, if the server wants it so. */
  async #answer(request: Request, { taskStore }: Extra, answer: () => Result): Promise<Result> {
    this.#record(request);
    const { task: wanted } = z.looseObject({ task: z.object({ ttl: z.number() }).optional() }).parse(request.params ?? {});
    if (wanted === undefined) return answer();
    if (taskStore === undefined) throw new Error('The client has no task store.');
    // A copy: the store changes the one that it gives out.
    const task = { ...(await taskStore.createTask({ ttl: wanted.ttl, pollInterval: 50 })) };
    try {
      await taskStore.storeTaskResult(task.taskId, 'completed', answer());
    } catch (error) {
      await taskStore.updateTaskStatus(task.taskId, 'failed', error instanceof Error ? error.message : String(error));
    }
    return { task };
  }
}
