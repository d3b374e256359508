/**
 * The loop: asks the model, calls the tools that it wants, until it answers or a limit is reached.
 *
 * It may run in a task, which is replayed from its record: between the operations of the host it is deterministic, all time is the
 * host's, and what it does by real time, to abort a call that takes too long, has an effect only within steps.
 */
import type { JsonObject } from '@longhaul/tasks';
import { withUniqueIds } from '../conversation/call-ids.js';
import type { AssistantMessage, Message, ToolCall } from '../conversation/messages.js';
import type { ChatModel, ChatReply } from '../model/chat-model.js';
import { isToBeAskedAgain } from '../model/reply-problem.js';
import { toolDescription } from '../tools/tool-description.js';
import type { Toolbox } from '../tools/toolbox.js';
import type { AgentHost } from './agent-host.js';
import { type AgentLimits, limitsOf, type SetLimits } from './agent-limits.js';
import { answerData } from './answer-data.js';
import { askAgain } from './ask-again.js';
import { askModel } from './ask-model.js';
import { callTools, notCalled } from './call-tools.js';
import type { Outcome, OutcomeName } from './outcome.js';
import { RepeatedCalls } from './repeated-calls.js';
import { requireSchema } from './schema-check.js';
import { usageOf } from './token-count.js';

export type { AgentLimits } from './agent-limits.js';

/** Answers that do not fit the output schema and are sent back to the model. */
const MAX_MISFITS = 2;
/** Messages in a row with nothing but a call that cannot be read, after which the model is asked again. */
const MAX_UNREADABLE = 2;

/** What an agent works with, and on what. */
export interface AgentRun {
  readonly model: ChatModel;
  readonly toolbox: Toolbox;
  readonly host: AgentHost;
  /** What came before, with the system prompt; the prompt is appended to it. */
  readonly history: readonly Message[];
  readonly prompt: string;
  /** JSON Schema that the answer has to fit. */
  readonly outputSchema?: JsonObject;
  readonly limits?: AgentLimits;
}

/**
 * Runs an agent until it has an answer, or one of the other outcomes. The transcript of each outcome is a conversation that can be
 * continued: give it as the `history` of another run.
 *
 * @example
 * ```ts
 * const outcome = await runAgent({
 *   model,
 *   toolbox,
 *   host: createProcessHost({ signal, onEvent: (event) => console.log(event) }),
 *   history: [{ role: 'system', content: 'Answer in one sentence.' }],
 *   prompt: 'What is the date in Tokyo?',
 *   limits: { maxRounds: 10, maxMs: 60_000 },
 * });
 * if (outcome.outcome === 'answered') console.log(outcome.text);
 * ```
 * @throws the reason of the host's signal, and nothing that a model or a tool does; RangeError for a limit or an output schema that
 *   is none
 */
export async function runAgent(run: AgentRun): Promise<Outcome> {
  if (run.outputSchema !== undefined) requireSchema('The output schema', run.outputSchema);
  return new RunningAgent(run, limitsOf(run.limits)).run();
}

class RunningAgent {
  private readonly transcript: Message[];
  private readonly repeatedCalls = new RepeatedCalls();
  private readonly deadlineMs: number;
  private rounds = 0;
  private misfits = 0;
  private unreadable = 0;
  /** As the model was asked last. */
  private offered: Toolbox['tools'] = [];
  private usage = { inputTokens: 0, outputTokens: 0 };

  constructor(
    private readonly task: AgentRun,
    private readonly limits: SetLimits,
  ) {
    this.transcript = [...task.history, { role: 'user', content: task.prompt }];
    this.deadlineMs = limits.maxMs === Infinity ? Infinity : task.host.now() + limits.maxMs;
  }

  async run(): Promise<Outcome> {
    for (;;) {
      const asked = await this.ask();
      if ('isLate' in asked) return this.lateEnd();
      if ('code' in asked) return this.end('model-error', asked.message, { errorCode: asked.code });
      const outcome = await this.take(asked.reply);
      if (outcome !== undefined) return outcome;
    }
  }

  private ask(): ReturnType<typeof askModel> {
    const { model, host, toolbox, outputSchema } = this.task;
    const round = this.rounds + 1;
    host.report({ type: 'round', round, maxRounds: this.limits.maxRounds });
    this.offered = toolbox.tools;
    // A copy: what is recorded or sent later must not grow with the conversation.
    const messages = [...this.transcript];
    const request = { messages, tools: this.offered.map(toolDescription), ...(outputSchema !== undefined && { outputSchema }) };
    return askModel({ model, host, limits: this.limits, name: `model ${round}`, leftMs: () => this.leftMs() }, request);
  }

  private async take(reply: ChatReply): Promise<Outcome | undefined> {
    this.rounds += 1;
    const { inputTokens, outputTokens } = usageOf(reply, this.transcript);
    this.usage = { inputTokens: this.usage.inputTokens + inputTokens, outputTokens: this.usage.outputTokens + outputTokens };
    const calls = withUniqueIds(reply.toolCalls, this.transcript);
    this.transcript.push(assistantMessage(reply.content, calls));
    if (isToBeAskedAgain(reply)) return this.takeUnreadable(reply);
    this.unreadable = 0;
    return calls.length === 0 ? this.takeAnswer(reply.content) : this.takeCalls(calls, reply);
  }

  /** What was meant as a call is no answer. */
  private takeUnreadable(reply: ChatReply): Outcome | undefined {
    const text = reply.problem?.message ?? '';
    this.unreadable += 1;
    if (this.unreadable > MAX_UNREADABLE || this.rounds >= this.limits.maxRounds) {
      return this.end('model-error', text, { errorCode: 'BAD_RESPONSE' });
    }
    if (this.areTokensUsedUp) return this.end('max-tokens', 'Max tokens reached');
    this.task.host.report({ type: 'retry', afterMs: 0, reason: text });
    this.transcript.push(...askAgain(reply, this.offered));
    return undefined;
  }

  private takeAnswer(answer: string): Outcome | undefined {
    const { outputSchema } = this.task;
    if (outputSchema === undefined) return this.end('answered', answer);
    const checked = answerData(answer, outputSchema);
    if ('data' in checked) return this.end('answered', answer, checked);
    const problem = `The answer does not fit the output schema: ${checked.problem}`;
    this.misfits += 1;
    if (this.misfits > MAX_MISFITS || this.rounds >= this.limits.maxRounds) {
      return this.end('model-error', problem, { errorCode: 'BAD_RESPONSE' });
    }
    if (this.areTokensUsedUp) return this.end('max-tokens', 'Max tokens reached');
    const schema = JSON.stringify(outputSchema);
    this.transcript.push({ role: 'user', content: `${problem}\nAnswer again, only with JSON that fits this schema: ${schema}` });
    return undefined;
  }

  private async takeCalls(calls: readonly ToolCall[], reply: ChatReply): Promise<Outcome | undefined> {
    const { refusals, goesOn } = this.repeatedCalls.look(calls);
    if (goesOn !== undefined) {
      const text = `The model went on to call ${goesOn.function.name} with the same arguments, after an error that said not to`;
      return this.endWithoutCalls(calls, 'repeated-call', text);
    }
    if (this.areTokensUsedUp) return this.endWithoutCalls(calls, 'max-tokens', 'Max tokens reached');
    if (this.leftMs() <= 0) return this.endWithoutCalls(calls, 'max-time', 'Max time reached');
    const { toolbox, host, model } = this.task;
    const { offered: tools, limits, deadlineMs } = this;
    const results = await callTools(calls, { toolbox, tools, host, limits, deadlineMs, refusals, takesImages: model.takesImages });
    this.transcript.push(...results, ...askAgain(reply, tools));
    if (this.rounds >= this.limits.maxRounds) return this.end('max-rounds', 'Max iterations reached');
    return undefined;
  }

  private get areTokensUsedUp(): boolean {
    return this.usage.inputTokens + this.usage.outputTokens >= this.limits.maxTokens;
  }

  private leftMs(): number {
    return this.deadlineMs === Infinity ? Infinity : this.deadlineMs - this.task.host.now();
  }

  private lateEnd(): Outcome {
    return this.end('max-time', 'Max time reached');
  }

  private endWithoutCalls(calls: readonly ToolCall[], outcome: OutcomeName, text: string): Outcome {
    this.transcript.push(...notCalled(calls, text));
    return this.end(outcome, text);
  }

  private end(outcome: OutcomeName, text: string, more: Pick<Outcome, 'data' | 'errorCode'> = {}): Outcome {
    return { outcome, text, ...more, rounds: this.rounds, usage: this.usage, transcript: this.transcript };
  }
}

function assistantMessage(content: string, calls: readonly ToolCall[]): AssistantMessage {
  return { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) };
}
