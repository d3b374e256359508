/**
 * Offers other agents to the model of a run: as tools, and as agents that take the run over. Each call is a task of its own, with what is
 * left of the budget of the run. What it has used counts for the run, also after a failure.
 */
import type { DurableContext } from '@longhaul/mcp-features';
import { isJsonObject } from '@longhaul/tasks/json';
import { type JsonObject, type Spending, TaskError } from '@longhaul/tasks';
import type { StatusLine } from '@longhaul/servers/durable';
import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { ModelBill } from '../model/usage.js';
import { HANDOFF, type NamedAgent } from '../named-agents.js';
import type { Toolbox, ToolCallOptions, ToolRequest } from '../tools/toolbox.js';

/** What an agent may call, and for whom. */
export interface CalledAgentsOptions {
  readonly context: Pick<DurableContext, 'call' | 'sleep' | 'now'>;
  readonly status: StatusLine;
  /** The agents that it may call. */
  readonly agents: readonly NamedAgent[];
  /** The agents that may take over. */
  readonly handoffs: readonly NamedAgent[];
  /** The schema that the answer of the run has to fit. */
  readonly outputSchema?: JsonObject | undefined;
}

/** The other agents of one run. */
export class CalledAgents implements Pick<Toolbox, 'call'> {
  /** The name of the agent that is taking over. */
  private successor: string | undefined;

  constructor(private readonly options: CalledAgentsOptions) {}

  /** As a server would list them. */
  get listed(): readonly ListedTool[] {
    const { agents, handoffs } = this.options;
    return [
      ...agents.map(({ name, description }) => listedAs(name, `An agent. ${description}`, TASK)),
      ...handoffs.map(({ name, description }) =>
        listedAs(
          `${HANDOFF}${name}`,
          `Hands over to another agent, whose answer is yours: you are not asked again. ${description}`,
          TASK_OF_SUCCESSOR,
        ),
      ),
    ];
  }

  async call({ tool, arguments: args }: ToolRequest, options: ToolCallOptions): Promise<CallToolResult> {
    const { name } = tool.listed;
    const isHandoff = this.options.handoffs.some((agent) => name === `${HANDOFF}${agent.name}`);
    if (!isHandoff) return this.ask(name, args, options);
    if (this.successor !== undefined) throw new Error(`Only one agent can take over, and ${this.successor} is doing so.`);
    const agent = name.slice(HANDOFF.length);
    this.successor = agent;
    try {
      const { outputSchema } = this.options;
      const result = await this.ask(agent, { ...args, ...(outputSchema !== undefined && { output_schema: outputSchema }) }, options);
      if (result.isError !== true) options.onAnswer?.(answerOf(result));
      return result;
    } finally {
      this.successor = undefined;
    }
  }

  private async ask(agent: string, args: JsonObject, options: ToolCallOptions): Promise<CallToolResult> {
    const { context, status } = this.options;
    const { left = {}, deadlineMs, onBill } = options;
    const called = status.during(`Waiting for the agent ${agent}`, () =>
      context.call(agent, args, { name: `agent ${agent}`, budget: left }).then(
        (result) => {
          onBill?.(billOf(result) ?? []);
          return result;
        },
        (error: unknown) => {
          const failed = failureOf(agent, error);
          onBill?.(failed.bill);
          return failed.result;
        },
      ),
    );
    if (deadlineMs === undefined) return called;
    const late = context.sleep(`time of agent ${agent}`, Math.max(1, deadlineMs - context.now())).then((): CallToolResult => {
      return errorResult(`The time of this run was over before ${agent} had an answer.`);
    });
    return Promise.race([called, late]);
  }
}

const TASK = 'The task, in words. The agent knows nothing but this: say all that it needs';
const TASK_OF_SUCCESSOR = 'What it is to do, with all that it has to know: it does not see this conversation';

function listedAs(name: string, description: string, task: string): ListedTool {
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: { prompt: { type: 'string', minLength: 1, description: task } },
      required: ['prompt'],
      additionalProperties: false,
    },
  };
}

function answerOf({ structuredContent }: CallToolResult): string {
  return String(structuredContent?.['answer']);
}

/** What a call in vain gives the model, and what it has used. @throws what is no failure of the agent */
function failureOf(agent: string, error: unknown): { readonly result: CallToolResult; readonly bill: readonly ModelBill[] } {
  if (!(error instanceof TaskError) || !error.code.startsWith('CHILD_')) throw error;
  const data = isJsonObject(error.data) ? error.data : {};
  const result = data['result'] as CallToolResult | undefined;
  return {
    result: result ?? errorResult(error.message),
    bill: (result && billOf(result)) ?? billOfLost(agent, data['spent'] as Spending | undefined),
  };
}

function billOf({ structuredContent }: CallToolResult): readonly ModelBill[] | undefined {
  return structuredContent?.['bill'] as readonly ModelBill[] | undefined;
}

/** Without a result nobody says which model was asked. */
function billOfLost(agent: string, spent: Spending | undefined): readonly ModelBill[] {
  if (spent === undefined) return [];
  const { tokens = 0, cost } = spent;
  return [{ model: `agent ${agent}`, requests: 0, inputTokens: tokens, outputTokens: 0, ...(cost !== undefined && { cost }) }];
}

function errorResult(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}
