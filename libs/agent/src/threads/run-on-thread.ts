/**
 * Runs an agent on a thread: the run continues the thread's messages, and each message that it adds is kept as soon as it is known. Every
 * operation on the thread is a step, so in a task a crash repeats none that is recorded, and one that is not writes the same again.
 */
import { TaskError } from '@longhaul/tasks';
import type { Message } from '../conversation/messages.js';
import type { AgentHost } from '../loop/agent-host.js';
import type { Outcome } from '../loop/outcome.js';
import { type AgentRun, type Keeper, runAgent, type RunState } from '../loop/run-agent.js';
import { ThreadError, type ThreadErrorCode } from './thread-error.js';
import type { OpenedThread, ThreadAppend } from './thread.js';
import type { Threads } from './threads.js';

/** Which thread a run works on, and how the run is known. */
export interface ThreadChoice {
  /** Used within steps only. */
  readonly threads: Threads;
  readonly thread?: string | undefined;
  readonly fork?: string | undefined;
  /** Unique among all runs, and the same after a crash. */
  readonly by: string;
  /** How long the hold lasts without another operation of the run, milliseconds. */
  readonly leaseMs: number;
}

/** What became of the thread. Plain JSON. */
export interface ThreadOutcome {
  readonly thread: string;
  /** The number of the question. */
  readonly question: number;
  /** Messages that the thread has now. */
  readonly messages: number;
  /** Why some of the messages are not kept. */
  readonly notKept?: string;
}

/** A run without its history, and the messages of the system. */
export type RunOnThread = Omit<AgentRun, 'history' | 'compacted' | 'density' | 'keeper'> & { readonly system: readonly Message[] };

/** The result of an operation. A refusal is a value, so that a replay has it too. */
type Recorded<T> = { readonly value: T } | { readonly refused: string; readonly code?: ThreadErrorCode };

/**
 * @throws ThreadError when the thread cannot be used: nothing is asked or called then. As `runAgent`, otherwise: in a task the thread is then
 * let go by `letGo`
 */
export async function runOnThread(choice: ThreadChoice, { system, ...run }: RunOnThread): Promise<Outcome & { thread: ThreadOutcome }> {
  const { host, prompt } = run;
  const opening = await recorded(
    host,
    'open thread',
    (operation) => choice.threads.open({ ...operation, thread: choice.thread, fork: choice.fork, prompt }),
    choice,
  );
  if ('refused' in opening) throw new ThreadError(opening.code ?? 'THREAD_FULL', opening.refused);
  const kept = new KeptRun(choice, host, opening.value, system.length);
  const { messages, summary, density } = opening.value;
  const outcome = await runAgent({
    ...run,
    history: [...system, ...messages],
    keeper: kept,
    density,
    ...(summary !== undefined && { compacted: { messages: 0, summary } }),
  });
  return { ...outcome, thread: await kept.close(outcome) };
}

/** Runs an operation of a thread as a step. */
async function recorded<T>(
  host: Pick<AgentHost, 'step'>,
  name: string,
  operate: (operation: { by: string; now: number; leaseMs: number }) => Promise<T>,
  { by, leaseMs }: ThreadChoice,
): Promise<Recorded<T>> {
  return (await host.step<unknown>(name, async () => {
    try {
      return { value: await operate({ by, now: Date.now(), leaseMs }) };
    } catch (error) {
      if (error instanceof ThreadError) return { refused: error.message, code: error.code };
      if (error instanceof TaskError && error.code === 'OWNER_FULL') return { refused: error.message };
      throw error;
    }
  })) as Recorded<T>;
}

class KeptRun implements Keeper {
  private readonly positions = new Set<number>();
  private notKept: string | undefined;
  private state: RunState = {};

  constructor(
    private readonly choice: ThreadChoice,
    private readonly host: AgentHost,
    private readonly opened: OpenedThread,
    private readonly systems: number,
  ) {}

  async keep(at: number, messages: readonly Message[], state: RunState): Promise<void> {
    this.state = state;
    if (messages.length === 0 || this.notKept !== undefined) return;
    const append = this.appendOf(at, messages);
    const { thread } = this.opened;
    this.note(
      await recorded(this.host, `keep message ${append.number}`, (run) => this.choice.threads.append(thread, run, append), this.choice),
    );
    for (const index of messages.keys()) this.positions.add(at + index);
  }

  async close({ outcome, errorCode, text, transcript, compacted }: Outcome): Promise<ThreadOutcome> {
    const { thread, number: question } = this.opened;
    const questionAt = this.systems + this.opened.messages.length;
    this.state = { ...this.state, compacted };
    const first = transcript.findIndex((_, at) => at > questionAt && !this.positions.has(at));
    const last = this.appendOf(first === -1 ? transcript.length : first, first === -1 ? [] : transcript.slice(first));
    // A question that is too long by itself would be too long in every later run.
    const isTakenBack = outcome === 'model-error' && errorCode === 'CONTEXT_OVERFLOW' && transcript.length === questionAt + 1;
    const why = isTakenBack ? undefined : `${outcome}: ${text}`;
    const closed = await recorded(
      this.host,
      'close thread',
      async (run) => (await this.choice.threads.close(thread, run, this.notKept === undefined ? last : undefined, why)) ?? LOST,
      this.choice,
    );
    const messages = 'value' in closed ? closed.value : LOST;
    this.note('refused' in closed ? closed : { value: messages !== LOST });
    return { thread, question, messages: Math.max(0, messages), ...(this.notKept !== undefined && { notKept: this.notKept }) };
  }

  private note(result: Recorded<boolean>): void {
    if ('refused' in result) this.notKept ??= result.refused;
    else if (!result.value) this.notKept ??= `The thread "${this.opened.thread}" was let go: another run may have continued it.`;
  }

  /** By the numbers of the thread. */
  private appendOf(at: number, messages: readonly Message[]): ThreadAppend {
    const { number: question, messages: before } = this.opened;
    const offset = question - before.length - 1;
    const { compacted, density } = this.state;
    return {
      number: question + at - this.systems - before.length,
      messages,
      density,
      ...(compacted !== undefined && compacted.messages > 0 && { compacted: { ...compacted, messages: offset + compacted.messages } }),
    };
  }
}

const LOST = -1;
