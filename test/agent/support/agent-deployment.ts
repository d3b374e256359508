/** An agent as a durable tool: gateway and workers in processes of their own on Redis, before a scripted endpoint. */
import { type Script, type ScriptedEndpoint, type ScriptedReply, startScriptedEndpoint } from '@longhaul/agent/testing';
import { connect, type ConnectOptions, type TaskClient } from '@longhaul/client';
import { connectRedisStore, type RedisStore } from '@longhaul/store-redis';
import type { TaskEvent, TaskId } from '@longhaul/tasks';
import { Deployment, type Environment, type Process } from '../../support/deployment.js';

/** What the scripted model answers, round by round, to a conversation that begins with this prompt. */
export type Plans = Readonly<Record<string, readonly ScriptedReply[]>>;

/** A message of a request, as far as a plan looks at it. */
export interface SentMessage {
  readonly role: string;
  readonly content: string;
}

/** What the agent is deployed with. */
export interface AgentOptions {
  readonly plans?: Plans;
  /** What it answers, in place of plans. */
  readonly script?: Script;
  /** The servers, in the form of a file. */
  readonly servers?: Readonly<Record<string, object>>;
  readonly env?: Environment;
  /** Whether the endpoint is the operator's. @defaultValue true */
  readonly hasModel?: boolean;
  /** Called before a request is answered. */
  readonly onRequest?: (prompt: string, round: number) => void | Promise<void>;
}

/** What came of a run. */
export interface AgentAnswer {
  readonly outcome: string;
  readonly answer: string;
  readonly data?: unknown;
  readonly errorCode?: string;
  readonly rounds: number;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
  readonly bill: readonly { readonly model: string; readonly requests: number }[];
  readonly transcript: readonly SentMessage[];
  readonly leftOut?: number;
}

export class AgentDeployment {
  readonly #clients: TaskClient[] = [];
  #store: RedisStore | undefined;

  private constructor(
    readonly deployment: Deployment,
    readonly endpoint: ScriptedEndpoint,
    readonly gateway: Process,
  ) {}

  /** Starts the endpoint and a gateway; workers are started by the test. */
  static async start({ plans = {}, script, servers = {}, env = {}, hasModel = true, onRequest }: AgentOptions): Promise<AgentDeployment> {
    const planned: Script = async ({ body }) => {
      const messages = body['messages'] as unknown as readonly SentMessage[];
      const prompt = messages.find(({ role }) => role === 'user')?.content ?? '';
      const round = messages.filter(({ role }) => role === 'assistant').length;
      await onRequest?.(prompt, round + 1);
      return (
        plans[prompt]?.[round] ?? { status: 400, body: { error: { message: `Nothing is planned for "${prompt}", round ${round + 1}.` } } }
      );
    };
    const endpoint = await startScriptedEndpoint(script ?? planned);
    const deployment = Deployment.create({
      LONGHAUL_FEATURES: '@longhaul/agent/feature',
      ...(hasModel && {
        LONGHAUL_AGENT_BASE_URL: endpoint.url,
        LONGHAUL_AGENT_MODEL: 'scripted',
        LONGHAUL_AGENT_MODELS: JSON.stringify({ small: { baseUrl: endpoint.url, apiKeyEnv: 'LONGHAUL_AGENT_API_KEY' } }),
        LONGHAUL_AGENT_API_KEY: 'key-of-the-endpoint',
      }),
      LONGHAUL_AGENT_SERVERS: JSON.stringify({ mcpServers: servers }),
      LONGHAUL_DRAIN_MS: '1000',
      ...env,
    });
    return new AgentDeployment(deployment, endpoint, await deployment.gateway());
  }

  async client(options: ConnectOptions = {}): Promise<TaskClient> {
    const client = await connect(this.gateway.url, { retry: { initialDelayMs: 20, maxDelayMs: 200 }, ...options });
    this.#clients.push(client);
    return client;
  }

  /** What is recorded of a task. */
  async events(taskId: string): Promise<readonly TaskEvent[]> {
    const { url, prefix } = this.deployment.redis;
    this.#store ??= await connectRedisStore({ url, prefix, role: 'gateway', onError: () => undefined });
    return this.#store.events.read(taskId as TaskId);
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    await this.#store?.close();
    await this.endpoint.close();
    await this.deployment.close();
  }
}

/** The structured content of a result of `run-agent`. */
export function answerOf({ structuredContent }: { readonly structuredContent?: unknown }): AgentAnswer {
  return structuredContent as AgentAnswer;
}

/** A reply that calls tools: their names and arguments, one after the other, with ids that do not depend on the number of the request. */
export function calling(...calls: readonly (readonly [name: string, args: object])[]): ScriptedReply {
  return { toolCalls: calls.map(([name, args], index) => ({ id: `id-${index}`, name, arguments: JSON.stringify(args) })) };
}

/** What the model received for its calls, in their order. */
export function toolResultsOf({ transcript }: AgentAnswer): readonly unknown[] {
  return transcript.flatMap(({ role, content }) => (role === 'tool' ? [content] : []));
}
