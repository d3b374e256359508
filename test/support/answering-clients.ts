/** Provides clients of the SDK that answer the questions of tools, and the two ways in which they call a tool. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  type ClientCapabilities,
  CreateMessageRequestSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
  type Notification,
  type Request,
  type Result,
} from '@modelcontextprotocol/sdk/types.js';

/** Everything that some tool needs. */
export const CAPABILITIES: ClientCapabilities = {
  sampling: {},
  elicitation: { form: {}, url: {} },
  tasks: { list: {}, cancel: {}, requests: { elicitation: { create: {} }, sampling: { createMessage: {} } } },
};

/** The answer of a client's model. */
export const MESSAGE = {
  role: 'assistant',
  content: { type: 'text', text: 'Hello!' },
  model: 'test-model',
  stopReason: 'endTurn',
} as const;

export type ClientOptions = ConstructorParameters<typeof Client>[1] & object;
/** The arguments of the SDK's handler of a request. */
export type Extra = RequestHandlerExtra<Request, Notification>;
/** Answers an elicitation or a sampling request. */
export type Answer = (request: Request, extra: Extra) => Result | Promise<Result>;

/** A client, and the params of every elicitation and sampling request that it got. */
export interface Peer {
  readonly client: Client;
  readonly asked: Record<string, unknown>[];
}

/** An answer that is an error. */
export const refusing: Answer = () => {
  throw new Error('nobody is here');
};

/** The clients of one test file. */
export class AnsweringClients {
  readonly #clients: Client[] = [];
  readonly #stores: InMemoryTaskStore[] = [];

  /** @param url returns the address of the gateway, which starts after this was made */
  constructor(private readonly url: () => string) {}

  /** A client that answers nothing. */
  async silent(capabilities: ClientCapabilities = CAPABILITIES, prepare: (client: Client) => void = () => undefined): Promise<Client> {
    return this.#connect(new Client({ name: 'test', version: '1' }, { capabilities }), prepare);
  }

  /** A client that answers every question in the same way. */
  async answering(answer: Answer, options: ClientOptions = {}): Promise<Peer> {
    const asked: Record<string, unknown>[] = [];
    const handler = (request: Request, extra: unknown): never => {
      asked.push(request.params ?? {});
      return answer(request, extra as Extra) as never;
    };
    const client = new Client({ name: 'test', version: '1' }, { capabilities: CAPABILITIES, ...options });
    if (options.taskStore !== undefined) this.#stores.push(options.taskStore as InMemoryTaskStore);
    await this.#connect(client, () => {
      client.setRequestHandler(ElicitRequestSchema, handler);
      client.setRequestHandler(CreateMessageRequestSchema, handler);
    });
    return { client, asked };
  }

  /** Ends all of them, and the timers of their task stores. */
  async close(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.close()));
    for (const store of this.#stores.splice(0)) store.cleanup();
  }

  async #connect(client: Client, prepare: (client: Client) => void): Promise<Client> {
    prepare(client);
    await client.connect(new StreamableHTTPClientTransport(new URL(this.url())));
    this.#clients.push(client);
    return client;
  }
}

/** Calls a tool and waits for its result. */
export type Call = (client: Client, name: string, args?: Record<string, unknown>) => Promise<CallToolResult>;

const callPlainly: Call = async (client, name, args = {}) =>
  CallToolResultSchema.parse(await client.callTool({ name, arguments: args }, CallToolResultSchema));

const callAsTask: Call = async (client, name, args = {}) => {
  const { task } = await client.request({ method: 'tools/call', params: { name, arguments: args, task: {} } }, CreateTaskResultSchema);
  return client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema);
};

/** Every tool can be called both ways. */
export const BOTH_WAYS = [
  ['called plainly', callPlainly],
  ['called as a task', callAsTask],
] as const;

/** The texts of a result; the type of what is no text. */
export function textsOf({ content }: CallToolResult): string[] {
  return content.map((item) => (item.type === 'text' ? item.text : item.type));
}

/** JSON as the tools show it. */
export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
