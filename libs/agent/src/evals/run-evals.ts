/**
 * Runs evals at a deployment. Each case is a task, and so is each question to a judge. Their keys follow from the run and the case: a run
 * that continues after its process was killed finds what it has begun, and begins nothing twice.
 */
import { createHash } from 'node:crypto';
import { connect, type InputHandlers, type TaskClient } from '@longhaul/client';
import { Semaphore } from '@longhaul/runtime/semaphore';
import type { JsonObject } from '@longhaul/tasks';
import { Bill } from '../loop/bill.js';
import type { ModelBill } from '../model/usage.js';
import { checkAnswer, type CheckedAnswer, type Judge } from './check-answer.js';
import type { EvalCase, EvalFile, UserRule } from './eval-file.js';

/** Where evals run. */
export interface RunEvalsOptions {
  /** Of the MCP endpoint of a deployment that has the agent. */
  readonly url: string;
  /** Who calls: as the header `Longhaul-Caller-Secret`. */
  readonly secret: string;
  /** The run, unique; the same to continue it. */
  readonly run: string;
  readonly signal: AbortSignal;
  /** Called for each case that has ended, in the order in which they end. */
  readonly onResult?: (result: EvalResult, count: { readonly done: number; readonly all: number }) => void;
}

/** What came of a case. Plain JSON. */
export interface EvalResult {
  readonly name: string;
  /** Which one of the repetitions, from 1. */
  readonly repetition: number;
  readonly passed: boolean;
  /** Why it has not passed. */
  readonly problems: readonly string[];
  readonly outcome: string;
  readonly answer: string;
  /** Questions to which the scripted user had no answer, and which were declined. */
  readonly declined?: readonly string[];
  readonly bill: readonly ModelBill[];
}

/** What came of all cases. Plain JSON. */
export interface EvalReport {
  readonly passed: number;
  readonly failed: number;
  readonly results: readonly EvalResult[];
  /** The requests of all cases and judges, by model. */
  readonly bill: readonly ModelBill[];
}

interface AgentAnswer extends CheckedAnswer {
  readonly data?: unknown;
  readonly bill?: readonly ModelBill[];
}

const VERDICT = {
  type: 'object',
  properties: { reason: { type: 'string' }, passed: { type: 'boolean' } },
  required: ['reason', 'passed'],
} satisfies JsonObject;

/** Runs all cases, some at a time. @throws the reason of the signal; the error of the connection */
export async function runEvals({ cases, atOnce }: EvalFile, options: RunEvalsOptions): Promise<EvalReport> {
  const { url, secret, signal, onResult } = options;
  const headers = { 'Longhaul-Caller-Secret': secret };
  // What a call has no answers for is declined.
  const client = await connect(url, { transport: { requestInit: { headers } }, onInput: { elicitation: () => ({ action: 'decline' }) } });
  try {
    const places = new Semaphore(atOnce);
    const runs = cases.flatMap((each) => Array.from({ length: each.repeat ?? 1 }, (_, index) => ({ each, repetition: index + 1 })));
    let done = 0;
    const bill = new Bill();
    const results = await Promise.all(
      runs.map(async ({ each, repetition }) => {
        const leave = await places.enter(signal);
        try {
          const result = await new CaseRun(client, options, each, repetition).run();
          bill.addBill(result.bill);
          done += 1;
          onResult?.(result, { done, all: runs.length });
          return result;
        } finally {
          leave();
        }
      }),
    );
    const passed = results.filter((result) => result.passed).length;
    return { passed, failed: results.length - passed, results, bill: bill.entriesByModel };
  } finally {
    await client.close();
  }
}

/** One repetition of a case. */
class CaseRun {
  private readonly declined: string[] = [];
  private readonly bill = new Bill();

  constructor(
    private readonly client: TaskClient,
    private readonly options: RunEvalsOptions,
    private readonly each: EvalCase,
    private readonly repetition: number,
  ) {}

  async run(): Promise<EvalResult> {
    const { checks } = this.each;
    try {
      const answer = await this.ask();
      const all = checks.some(({ kind }) => kind === 'outcome') ? checks : [{ kind: 'outcome', outcome: 'answered' } as const, ...checks];
      const judge = this.judgeOf(answer);
      const found = await Promise.all(all.map((check) => checkAnswer(check, answer, judge)));
      return this.result(
        found.filter((problem) => problem !== undefined),
        answer,
      );
    } catch (error) {
      this.options.signal.throwIfAborted();
      return this.result([error instanceof Error ? error.message : String(error)], { outcome: 'error', answer: '' });
    }
  }

  private result(problems: readonly string[], { outcome, answer }: Pick<AgentAnswer, 'outcome' | 'answer'>): EvalResult {
    const { name } = this.each;
    const { repetition, declined } = this;
    const bill = this.bill.entriesByModel;
    return { name, repetition, passed: problems.length === 0, problems, outcome, answer, ...(declined.length > 0 && { declined }), bill };
  }

  private ask(): Promise<AgentAnswer> {
    const { agent = 'run-agent', prompt, model, servers, maxRounds, sampling, outputSchema } = this.each;
    const args = {
      prompt,
      ...(model !== undefined && { model }),
      ...(servers !== undefined && { servers }),
      ...(maxRounds !== undefined && { max_rounds: maxRounds }),
      ...(sampling !== undefined && { sampling }),
      ...(outputSchema !== undefined && { output_schema: outputSchema }),
    };
    return this.call('case', agent, args, { elicitation: ({ message }) => this.answerTo(message) });
  }

  private judgeOf({ answer }: AgentAnswer): Judge {
    let judged = 0;
    return async (criterion, model) => {
      judged += 1;
      const prompt = `Judge the answer to a question. Say whether it meets the criterion, and why.\n\nQuestion:\n${this.each.prompt}\n\nAnswer:\n${answer}\n\nCriterion:\n${criterion}`;
      const args = { prompt, servers: [], output_schema: VERDICT, ...(model !== undefined && { model }) };
      const verdict = await this.call(`judge ${judged}`, 'run-agent', args, {});
      if (verdict.outcome !== 'answered') return { passed: false, reason: `it has not answered (${verdict.outcome}): ${verdict.answer}` };
      return verdict.data as { readonly passed: boolean; readonly reason: string };
    };
  }

  private async call(what: string, tool: string, args: Record<string, unknown>, onInput: InputHandlers): Promise<AgentAnswer> {
    const { run, signal } = this.options;
    const { name } = this.each;
    const idempotencyKey = createHash('sha256')
      .update(JSON.stringify([run, name, this.repetition, what]))
      .digest('hex');
    const { structuredContent, content } = await this.client.callTool(tool, args, { idempotencyKey, onInput, signal });
    if (structuredContent === undefined) {
      const [first] = content;
      throw new Error(first?.type === 'text' ? first.text : 'The agent has given no result.');
    }
    const answer = structuredContent as unknown as AgentAnswer;
    this.bill.addBill(answer.bill ?? []);
    return answer;
  }

  private answerTo(message: string): { action: 'accept'; content: Record<string, string> } | { action: 'decline' | 'cancel' } {
    const rule: UserRule | undefined = this.each.user?.find(({ asks }) => asks === undefined || message.includes(asks));
    if (rule === undefined) this.declined.push(message);
    const answer = rule?.answer ?? 'decline';
    return typeof answer === 'string' ? { action: answer } : { action: 'accept', content: answer as Record<string, string> };
  }
}
