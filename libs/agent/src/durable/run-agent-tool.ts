/** Defines the agent as a durable tool. */
import { defineTool, type DurableContext, type DurableTool, ProtocolError } from '@longhaul/mcp-features';
import { type JsonObject, JsonRpcCode, type OwnerCollections } from '@longhaul/tasks';
import { wildcardPattern } from '@longhaul/runtime/linear-pattern';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Message } from '../conversation/messages.js';
import { runAgent } from '../loop/run-agent.js';
import type { ChatModel } from '../model/chat-model.js';
import { createEndpointModel } from '../endpoint/endpoint-model.js';
import { askBefore, type ServerConfig } from '@longhaul/servers';
import type { PricedModel } from '../loop/bill.js';
import { mergedSampling, type Sampling, samplingOf } from '../model/sampling.js';
import { AGENTS } from '../named-agents.js';
import type { ModelSettings } from '../named-models.js';
import { withApproval } from '../tools/approval.js';
import { runOnThread, type ThreadChoice } from '../threads/run-on-thread.js';
import { NO_OWNER } from './thread-owner.js';
import { createThreads, type Threads } from '../threads/threads.js';
import { nameTools } from '../tools/tool-names.js';
import type { Toolbox } from '../tools/toolbox.js';
import { agentOutput, agentResult } from './agent-result.js';
import { type AgentArguments, agentInput, type RunAgentOptions } from './agent-input.js';
import { CalledAgents } from './called-agents.js';
import { createAskApproval } from './ask-approval.js';
import { askableCapabilities, cancelRemoteTasks } from '@longhaul/servers/durable';
import { createClientModel } from './client-model.js';
import { createDurableHost } from './durable-host.js';
import { createDurableToolbox } from './durable-toolbox.js';
import { durablePrompt, durableResources } from './durable-resources.js';
import { ownServerName, referenceOf, resourceTools } from '../servers/resource-tools.js';
import { type ListedServer, listServers } from '@longhaul/servers/durable';
import { PassConnections } from '@longhaul/servers/durable';
import { requireBoundedSchema } from './schema-bounds.js';
import { StatusLine } from '@longhaul/servers/durable';

const HOUR_MS = 3_600_000;
/** How long a thread is held for a task that cannot let it go: its clean-up does that, and has days for it. */
const LEASE_MS = 7 * 24 * HOUR_MS;
const NO_MODEL =
  'There is no model for the agent: its operator has set none (LONGHAUL_AGENT_BASE_URL), and this client does not offer its own (it does not declare sampling).';

/** The tool `run-agent`, or that of an agent of the list: a model works on a task with the tools of servers, until it has an answer. */
export function runAgentTool(options: RunAgentOptions): DurableTool {
  const { settings, servers, agent } = options;
  const byName = new Map(servers.map((server) => [server.name, server]));
  return defineTool({
    name: agent?.name ?? 'run-agent',
    title: agent === undefined ? 'Run the agent' : `Run the agent ${agent.name}`,
    description: agent === undefined ? descriptionOf(options) : `An agent. ${agent.description}`,
    input: agentInput(options),
    output: agentOutput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    task: 'optional',
    ttlMs: 24 * HOUR_MS,
    pollIntervalMs: 2_000,
    complete: (args) => completed(args, options),
    problemOf: ({ output_schema: schema }) => problemOfSchema(schema),
    prepare: (args, { sampleEnabled, owner }) => {
      if (wantsThread(args) && owner === undefined) throw new ProtocolError(JsonRpcCode.InvalidParams, NO_OWNER);
      const [first] = settings.models;
      if (first === undefined && !sampleEnabled) throw new ProtocolError(JsonRpcCode.InvalidParams, NO_MODEL);
      const problem = problemOfSchema(args['output_schema']);
      if (problem !== undefined) throw new ProtocolError(JsonRpcCode.InvalidParams, problem);
      return args;
    },
    run: (args, context) => new AgentTask(options, { byName, args, context }).run(),
    cleanUp: async ({ taskId, arguments: args, steps, owner }) => {
      if (wantsThread(args) && owner !== undefined) await threadsOf(owner, settings).letGo(holderOf(taskId), 'the run was stopped');
      await cancelRemoteTasks(steps, byName);
    },
  });
}

function wantsThread({ thread, fork }: JsonObject): boolean {
  return thread !== undefined || fork !== undefined;
}

function threadsOf(owner: OwnerCollections, { threadsMaxBytes }: RunAgentOptions['settings']): Threads {
  return createThreads(owner, threadsMaxBytes);
}

/** As others read it who would use the thread as well. */
function holderOf(taskId: string): string {
  return `task ${taskId}`;
}

/** The operator's defaults are applied at the call, and hold for the whole task. */
function completed(args: JsonObject, { settings, servers, agents = [] }: RunAgentOptions): JsonObject {
  const [model] = settings.models;
  return {
    ...(model !== undefined && { model: model.name }),
    servers: servers.map(({ name }) => name),
    ...(agents.length > 0 && { agents: agents.map(({ name }) => name) }),
    max_rounds: settings.limits.maxRounds,
    ...args,
  };
}

/** What is wrong with a schema; nothing if it can be used. It is compiled where the task runs, and not in a gateway. */
function problemOfSchema(schema: JsonObject[string]): string | undefined {
  if (schema === undefined) return undefined;
  try {
    requireBoundedSchema('output_schema', schema);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function descriptionOf({ servers, agents = [] }: RunAgentOptions): string {
  const names = (given: readonly { readonly name: string }[]): string => given.map(({ name }) => name).join(', ');
  const what = 'Has an agent work on a task with the tools of its servers until it has an answer, and returns the answer.';
  return `${what} Its servers: ${names(servers) || 'none'}.${agents.length > 0 ? ` It may call other agents: ${names(agents)}.` : ''}`;
}

interface TaskParts {
  readonly byName: ReadonlyMap<string, ServerConfig>;
  readonly args: AgentArguments;
  readonly context: DurableContext;
}

/** One pass of a run. */
class AgentTask {
  constructor(
    private readonly options: RunAgentOptions,
    private readonly parts: TaskParts,
  ) {}

  async run(): Promise<CallToolResult> {
    const { context, byName, args } = this.parts;
    const { signal } = context;
    const connections = new PassConnections({ servers: byName, asks: askableCapabilities(context), signal });
    const names = [...new Set(args.servers ?? byName.keys())];
    const status = new StatusLine(context);
    if (names.length > 0) status.say(`Connecting ${names.join(', ')}`);
    const servers = await listServers(context, connections, names);
    const toolbox = this.toolbox(servers, connections, status);
    const { use_prompt: used, resources } = args;
    const begun = used === undefined ? '' : await durablePrompt(context, connections, used);
    const run = {
      model: this.model,
      toolbox: withApproval(
        toolbox,
        // Another agent asks for what its own tools do.
        ({ server, listed }) => (server === AGENTS ? 'never' : askBefore(listed.name, byName.get(server) ?? { ask: 'always' })),
        createAskApproval(context, status),
      ),
      host: createDurableHost(context, args.model === undefined ? 'client' : 'endpoint', status),
      prompt: begun === '' ? args.prompt : `${begun}\n\n${args.prompt}`,
      resources: resources?.map(referenceOf),
      ...(args.output_schema !== undefined && { outputSchema: args.output_schema }),
      limits: this.limits,
      ...(this.settings?.price !== undefined && { price: this.settings.price }),
      contextTokens: this.settings?.contextTokens,
      fallbacks: this.fallbacks,
    };
    const system = this.system(servers);
    const { thread } = this;
    return agentResult(thread === undefined ? await runAgent({ ...run, history: system }) : await runOnThread(thread, { ...run, system }));
  }

  /** The tools of the servers, and the other agents. */
  private toolbox(servers: readonly ListedServer[], connections: PassConnections, status: StatusLine): Toolbox {
    const { context, args, byName } = this.parts;
    const { agent, agents = [], handoffs = [] } = this.options;
    const others = new CalledAgents({
      context,
      status,
      agents: agents.filter(({ name }) => args.agents?.includes(name) ?? true),
      handoffs,
      outputSchema: args.output_schema,
    });
    const own = ownServerName([...byName.keys(), AGENTS]);
    const tools = nameTools([
      ...servers.map(({ name, tools: listed }) => ({ server: name, tools: usedTools(listed, agent?.tools) })),
      { server: own, tools: usedTools(resourceTools(durableResources(context, connections, servers).servers), agent?.tools) },
      { server: AGENTS, tools: others.listed },
    ]);
    const ofServers = createDurableToolbox({ context, status, connections, servers, tools, own });
    return { tools, call: (request, options) => (request.tool.server === AGENTS ? others : ofServers).call(request, options) };
  }

  /** The thread that the caller wants, if it wants one. @throws Error for a caller of whom nothing is known */
  private get thread(): ThreadChoice | undefined {
    const { args, context } = this.parts;
    const { thread, fork } = args;
    if (thread === undefined && fork === undefined) return undefined;
    if (context.owner === undefined) throw new Error(NO_OWNER);
    return { threads: threadsOf(context.owner, this.options.settings), thread, fork, by: holderOf(context.taskId), leaseMs: LEASE_MS };
  }

  private get settings() {
    return this.options.settings.models.find(({ name }) => name === this.parts.args.model);
  }

  /** @throws Error that says so, if neither the operator nor the client has a model */
  private get model(): ChatModel {
    const { context } = this.parts;
    if (this.settings !== undefined) return this.modelOf(this.settings);
    if (!context.sampleEnabled) throw new Error(NO_MODEL);
    return createClientModel(context, this.sampling);
  }

  private modelOf(settings: ModelSettings): ChatModel {
    const { endpoint } = settings;
    const sampling = mergedSampling(endpoint.sampling, this.sampling);
    // The key is looked at here, on the worker.
    const { telemetry, memory } = this.options;
    return createEndpointModel({ ...endpoint, apiKey: endpoint.apiKey, memory, sampling, observe: telemetry?.observing(settings.price) });
  }

  private get sampling(): Sampling {
    return mergedSampling(this.options.agent?.sampling, samplingOf(this.parts.args.sampling ?? {}));
  }

  /** The models that may be asked instead of the operator's. */
  private get fallbacks(): readonly PricedModel[] {
    if (this.settings === undefined) return [];
    return this.options.settings.fallbacks.map((settings) => ({
      model: this.modelOf(settings),
      price: settings.price,
      contextTokens: settings.contextTokens,
    }));
  }

  private get limits() {
    const { limits } = this.options.settings;
    const { args, context } = this.parts;
    const { tokens = Infinity, cost = Infinity } = context.budget ?? {};
    return {
      ...limits,
      // So it ends with what it has, and not in the middle.
      maxTokens: Math.max(1, Math.min(limits.maxTokens ?? Infinity, tokens)),
      maxSpend: Math.min(limits.maxSpend ?? Infinity, cost),
      maxRounds: Math.min(args.max_rounds ?? limits.maxRounds, limits.maxRounds),
      // A client answers when it likes, and time by the machine's clock means nothing outside of steps.
      ...(this.settings === undefined && { maxMs: Infinity }),
    };
  }

  private system(servers: readonly ListedServer[]): readonly Message[] {
    const texts = [
      this.options.systemPrompt,
      ...servers.map(({ name, instructions }) => instructions && `How to use the tools of the server "${name}":\n${instructions}`),
    ].filter((text) => text !== undefined && text !== '');
    return texts.length === 0 ? [] : [{ role: 'system', content: texts.join('\n\n') }];
  }
}

/** The tools that an agent may use. @param patterns all, if there are none */
function usedTools(listed: ListedServer['tools'], patterns: readonly string[] | undefined): ListedServer['tools'] {
  if (patterns === undefined) return listed;
  const used = patterns.map((pattern) => wildcardPattern(pattern));
  return listed.filter(({ name }) => used.some((pattern) => pattern.test(name)));
}
