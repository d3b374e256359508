/**
 * Runs the loop of an agent: asks the model and calls the tools that it wants, until it answers or a limit is reached.
 *
 * It may run in a task, which is replayed from its record. So it is deterministic between the operations of the host, and all time is the
 * host's. It uses real time only to abort calls that take too long, which has an effect only within steps.
 */
import type { JsonObject } from '@longhaul/tasks';
import { withUniqueIds } from '../conversation/call-ids.js';
import type { AssistantMessage, Message, Thoughts, ToolCall } from '../conversation/messages.js';
import type { ChatReply, Usage } from '../model/chat-model.js';
import { isToBeAskedAgain } from '../model/reply-problem.js';
import { toolDescription } from '../tools/tool-description.js';
import { readCalls } from '../servers/resource-tools.js';
import { type SearchedTools, searchedTools } from '../tools/searched-tools.js';
import type { Toolbox } from '../tools/toolbox.js';
import type { AgentHost } from './agent-host.js';
import { limitsOf, type SetLimits } from './agent-limits.js';
import type { AgentRun } from './agent-run.js';
import { answerData } from './answer-data.js';
import { askAgain } from './ask-again.js';
import { type Asked, type Asking, askModel } from './ask-model.js';
import { Compactor } from './compactor.js';
import { callTools, cutCalls, type KnownCalls, notCalled } from './call-tools.js';
import { Bill } from './bill.js';
import { ModelOrder } from './model-order.js';
import type { Outcome, OutcomeName } from './outcome.js';
import { RepeatedCalls } from './repeated-calls.js';
import { type ModelBill, spentOn, usageOf } from '../model/usage.js';

export type { AgentLimits } from './agent-limits.js';
export type { AgentRun, Keeper, RunState } from './agent-run.js';

/** Answers that do not fit the output schema and are sent back to the model. */
const MAX_MISFITS = 2;
/** Messages in a row with nothing but a call that cannot be read, after which the model is asked again. */
const MAX_UNREADABLE = 2;

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
 * @throws the reason of the host's signal (unless the run `endsWhenAborted`); RangeError for an invalid limit or output schema. Failures of
 * a model or a tool are not thrown.
 */
export async function runAgent(run: AgentRun): Promise<Outcome> {
  if (run.outputSchema !== undefined) await requireUsable(run.outputSchema, run.host);
  return new RunningAgent(run, limitsOf(run.limits)).run();
}

/** @throws RangeError when nothing can be checked against the schema */
async function requireUsable(schema: JsonObject, host: AgentHost): Promise<void> {
  const { unusable } = await host.check('output schema', { schema });
  if (unusable !== undefined) throw new RangeError(`The output schema is no JSON Schema that can be checked: ${unusable}.`);
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
  private tools: SearchedTools;
  private readonly searched: () => SearchedTools;
  private readonly bill = new Bill();
  private readonly models: ModelOrder;
  private readonly compactor: Compactor;
  /** Up to here, all messages are kept. */
  private keptTo: number;

  constructor(
    private readonly task: AgentRun,
    private readonly limits: SetLimits,
  ) {
    this.transcript = [...task.history, { role: 'user', content: task.prompt }];
    this.keptTo = this.transcript.length;
    this.searched = searchedTools(task.toolbox, limits.maxListedTools);
    this.tools = this.searched();
    this.models = new ModelOrder(task);
    this.compactor = new Compactor({
      transcript: this.transcript,
      questionAt: task.history.length,
      contextTokens: () => this.models.present.contextTokens,
      compacted: task.compacted,
      density: task.density,
      asking: (name) => this.asking(name),
      count: (usage) => this.count(usage),
      isUsedUp: () => this.usedUp !== undefined,
    });
    this.deadlineMs = limits.maxMs === Infinity ? Infinity : task.host.now() + limits.maxMs;
  }

  async run(): Promise<Outcome> {
    const { endsWhenAborted, host } = this.task;
    try {
      return await this.goOn();
    } catch (error) {
      if (endsWhenAborted !== true || !host.signal.aborted) throw error;
      const { reason } = host.signal as { readonly reason: unknown };
      return this.end('cancelled', reason instanceof Error ? reason.message : String(reason));
    }
  }

  private async goOn(): Promise<Outcome> {
    await this.readResources();
    for (;;) {
      // At the first round, nothing may be left of a limit for several runs.
      const used = this.usedUp;
      if (used !== undefined) return this.end(used.outcome, used.text);
      const asked = (await this.compactor.whenFull(this.described)) ?? (await this.askWithRoom());
      if ('isLate' in asked) return this.lateEnd();
      if ('isUsedUp' in asked) continue;
      if ('code' in asked) {
        if (this.models.fallBack(asked)) continue;
        return this.end('model-error', asked.message, { errorCode: asked.code });
      }
      const outcome = await this.take(asked.reply);
      if (outcome !== undefined) return outcome;
    }
  }

  /** They become a message with calls, and its results: text of others gets no other place than that of any result. */
  private async readResources(): Promise<void> {
    const { resources = [] } = this.task;
    if (resources.length === 0) return;
    const calls = withUniqueIds(readCalls(resources, this.tools.all), this.transcript);
    this.transcript.push(assistantMessage('', calls));
    await this.keepAll();
    await this.makeCalls(calls, new Map());
  }

  /** A conversation that the endpoint refuses as too long is summarised, and sent once more. */
  private async askWithRoom(): Promise<Asked> {
    const asked = await this.ask();
    if (!('code' in asked) || asked.code !== 'CONTEXT_OVERFLOW') return asked;
    const { isDone, failure = asked } = await this.compactor.afterRefusal(this.described);
    return isDone ? this.ask() : failure;
  }

  private get described() {
    return this.searched().given(this.transcript).map(toolDescription);
  }

  private ask(): Promise<Asked> {
    const { host, outputSchema } = this.task;
    const round = this.rounds + 1;
    host.report({ type: 'round', round, maxRounds: this.limits.maxRounds });
    this.tools = this.searched();
    this.offered = this.tools.given(this.transcript);
    // A copy: a recorded or later sent list must not grow with the conversation.
    const messages = this.compactor.view;
    const request = { messages, tools: this.offered.map(toolDescription), ...(outputSchema !== undefined && { outputSchema }) };
    return askModel(this.asking(`model ${round}`), request);
  }

  private asking(name: string): Asking {
    const { host } = this.task;
    const { present } = this.models;
    const count = (usage: Usage): boolean => {
      this.count(usage);
      return this.usedUp !== undefined;
    };
    const limits = this.models.limitsFor(this.limits);
    return { model: present.model, host, limits, name, leftMs: () => this.leftMs(), onTry: () => this.bill.tried(present), count };
  }

  private async take(reply: ChatReply): Promise<Outcome | undefined> {
    this.rounds += 1;
    this.count(usageOf(reply, this.compactor.view));
    this.compactor.measure(reply, this.offered.map(toolDescription));
    const calls = withUniqueIds(reply.toolCalls, this.transcript);
    this.transcript.push(assistantMessage(reply.content, calls, reply.thoughts));
    await this.keepAll();
    if (isToBeAskedAgain(reply)) return this.takeUnreadable(reply);
    this.unreadable = 0;
    return calls.length === 0 ? this.takeAnswer(reply.content) : this.takeCalls(calls, reply);
  }

  /** Keeps the messages that were added since the last time. */
  private async keepAll(): Promise<void> {
    const at = this.keptTo;
    this.keptTo = this.transcript.length;
    await this.keep(at, this.transcript.slice(at));
  }

  private async keep(at: number, messages: readonly Message[]): Promise<void> {
    const { compacted, density } = this.compactor;
    await this.task.keeper?.keep(at, messages, { compacted, density });
  }

  /** A text that was meant as a call is no answer. */
  private takeUnreadable(reply: ChatReply): Outcome | undefined {
    const text = reply.problem?.message ?? '';
    this.unreadable += 1;
    if (this.unreadable > MAX_UNREADABLE || this.rounds >= this.limits.maxRounds) {
      return this.end('model-error', text, { errorCode: 'BAD_RESPONSE' });
    }
    const used = this.usedUp;
    if (used !== undefined) return this.end(used.outcome, used.text);
    this.task.host.report({ type: 'retry', afterMs: 0, reason: text });
    this.transcript.push(...askAgain(reply, this.offered));
    return undefined;
  }

  private count(usage: Usage): void {
    const { present } = this.models;
    this.bill.add(present, usage);
    const tokens = Math.ceil(usage.inputTokens + usage.outputTokens);
    this.task.host.spend?.({ tokens, ...(present.price !== undefined && { cost: spentOn(usage, present.price) }) });
  }

  private async takeAnswer(answer: string): Promise<Outcome | undefined> {
    const { outputSchema, host } = this.task;
    if (outputSchema === undefined) return this.end('answered', answer);
    const checked = await answerData(answer, outputSchema, (question) => host.check(`check answer ${this.rounds}`, question));
    if ('data' in checked) return this.end('answered', answer, checked);
    const problem = `The answer does not fit the output schema: ${checked.problem}`;
    this.misfits += 1;
    if (this.misfits > MAX_MISFITS || this.rounds >= this.limits.maxRounds) {
      return this.end('model-error', problem, { errorCode: 'BAD_RESPONSE' });
    }
    const used = this.usedUp;
    if (used !== undefined) return this.end(used.outcome, used.text);
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
    const used = this.usedUp;
    if (used !== undefined) return this.endWithoutCalls(calls, used.outcome, used.text);
    if (this.leftMs() <= 0) return this.endWithoutCalls(calls, 'max-time', 'Max time reached');
    const answer = await this.makeCalls(calls, refusals);
    if (answer !== undefined) {
      this.transcript.push(assistantMessage(answer, []));
      await this.keepAll();
      return this.takeAnswer(answer);
    }
    this.transcript.push(...askAgain(reply, this.offered));
    if (this.rounds >= this.limits.maxRounds) return this.end('max-rounds', 'Max iterations reached');
    return undefined;
  }

  /** @returns the answer of a tool that has taken over @throws the reason of the host's signal, after the known results were added */
  private async makeCalls(calls: readonly ToolCall[], refusals: ReadonlyMap<ToolCall, string>): Promise<string | undefined> {
    const { toolbox, host } = this.task;
    const { tools, limits, deadlineMs } = this;
    const known: KnownCalls = new Map();
    const taken = this.models.present.model;
    const at = this.transcript.length;
    const keep = (index: number, message: Message): Promise<void> => this.keep(at + index, [message]);
    let answer: string | undefined;
    const own = {
      left: this.bill.leftOf(this.limits),
      onBill: (bill: readonly ModelBill[]) => this.bill.addBill(bill),
      onAnswer: (text: string) => void (answer ??= text),
    };
    const calling = { toolbox, tools, host, limits, deadlineMs, refusals, taken, known, own, keep };
    try {
      this.transcript.push(...(await callTools(calls, calling)));
      this.keptTo = this.transcript.length;
    } catch (error) {
      this.transcript.push(...cutCalls(calls, known));
      throw error;
    }
    return answer;
  }

  /** The limit of what the model uses that is reached, if one is. */
  private get usedUp(): { readonly outcome: OutcomeName; readonly text: string } | undefined {
    const { inputTokens, outputTokens } = this.bill.usage;
    const { maxTokens, maxSpend } = this.limits;
    if (inputTokens + outputTokens >= maxTokens) return { outcome: 'max-tokens', text: 'Max tokens reached' };
    const hasPrice = this.models.hasPrice || this.bill.spent !== undefined;
    if (!hasPrice || (this.bill.spent ?? 0) < maxSpend) return undefined;
    return { outcome: 'max-spend', text: 'Max spend reached' };
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
    const { rounds, transcript } = this;
    const { usage, entriesByModel: bill } = this.bill;
    const { compacted } = this.compactor;
    return { outcome, text, ...more, rounds, usage, bill, transcript, ...(compacted !== undefined && { compacted }) };
  }
}

function assistantMessage(content: string, calls: readonly ToolCall[], thoughts?: Thoughts): AssistantMessage {
  return { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }), ...(thoughts !== undefined && { thoughts }) };
}
