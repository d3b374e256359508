/**
 * A worker's side of tasks: takes deliveries, claims passes and runs them, and hears of everything
 * that must stop a running pass: cancellation (at once by message, otherwise at the next heartbeat),
 * another worker that claimed the task, a lost job, the worker's own shutdown.
 */
import type { TaskBackend } from '../backend.js';
import type { Clock } from '../clock.js';
import type { TaskFailure } from '../domain/events.js';
import { INTERNAL_ERROR } from '../domain/decide.js';
import { nextDeadline } from '../domain/next-deadline.js';
import { nextPass } from '../domain/next-pass.js';
import { CommandRejected } from '../domain/rejection.js';
import type { TaskState } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import type { JobDelivery, JobVerdict, TaskJob } from '../queue/task-queue.js';
import type { Randomness } from '../replay/context.js';
import { PassJournal } from '../replay/pass-journal.js';
import type { PassEnd } from '../replay/drafts.js';
import type { PassRun } from '../replay/pass-run.js';
import { startPass } from '../replay/run-pass.js';
import type { WorkflowRegistry } from '../replay/workflow.js';
import type { Unsubscribe } from '../store/event-store.js';
import { TaskError } from '../errors.js';
import { HistoryRoom } from './history-room.js';
import { loadHistory, type LoadedHistory } from './load-history.js';
import { type StuckPass, StuckPasses } from './stuck-passes.js';
import { Sweep } from './sweep.js';
import { expire } from './task-look.js';
import { TaskWriter } from './task-writer.js';
import { unknownTool } from './unknown-tool.js';

/** What a worker is made of. */
export interface TaskRunnerOptions {
  readonly backend: TaskBackend;
  readonly workflows: WorkflowRegistry;
  /** Names this worker in the history of the tasks that it ran. */
  readonly workerId: string;
  readonly clock?: Clock;
  readonly chance?: Randomness;
  /** How long a step may take that names no limit, milliseconds. @defaultValue an hour */
  readonly stepTimeoutMs?: number;
  readonly onError: (error: unknown) => void;
  /** What the history of a task may take, bytes. @defaultValue 64 MiB */
  readonly maxHistoryBytes?: number;
  /** @defaultValue one for the heap of this process */
  readonly historyRoom?: HistoryRoom;
  /** Told of each pass that ended here. */
  readonly onPass?: (pass: { readonly job: TaskJob; readonly end: PassEnd; readonly tookMs: number }) => void;
  /** Told once a minute of each pass that has recorded nothing for a minute. */
  readonly onStuck?: (pass: StuckPass) => void;
}

/** How often running passes look for what they were not told of, and the agenda for tasks that are due for a look. */
const HEARTBEAT_MS = 2_500;
const SWEEP_MS = 1_000;
const STEP_TIMEOUT_MS = 3_600_000;
/** The longest delay that Node's timers take: 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Runs the passes of one worker process. */
export class TaskRunner {
  private readonly runs = new Map<TaskId, PassRun>();
  private readonly writer: TaskWriter;
  private readonly room: HistoryRoom;
  private readonly clock: Clock;
  private readonly chance: Randomness;
  private readonly stuck: StuckPasses;
  private readonly sweep: Sweep;
  private readonly timers: NodeJS.Timeout[] = [];
  private stopHearing: Unsubscribe | undefined;
  private releasing = false;

  constructor(private readonly options: TaskRunnerOptions) {
    this.clock = options.clock ?? Date.now;
    this.chance = options.chance ?? { random: Math.random, uuid: () => crypto.randomUUID() };
    const { backend, onError, maxHistoryBytes } = options;
    this.room = options.historyRoom ?? new HistoryRoom();
    this.writer = new TaskWriter({ backend, clock: this.clock, onError, ...(maxHistoryBytes !== undefined && { maxHistoryBytes }) });
    this.stuck = new StuckPasses(this.clock, (pass) => options.onStuck?.(pass));
    this.sweep = new Sweep({ backend, writer: this.writer, onError });
  }

  /** Begins to hear of interruptions and to sweep. */
  async start(): Promise<void> {
    const { backend, onError } = this.options;
    this.stopHearing = await backend.events.onInterrupted((taskId) => void this.runs.get(taskId)?.poke());
    const every = (ms: number, work: () => Promise<unknown>) =>
      this.timers.push(setInterval(() => void work().catch(onError), ms * (0.9 + 0.2 * this.chance.random())).unref());
    every(HEARTBEAT_MS, () => this.heartbeat());
    every(HEARTBEAT_MS, async () => this.stuck.look(this.runs.values()));
    every(SWEEP_MS, () => this.sweep.run());
  }

  /** Handles one delivery of a job: decides whether its pass is due, claims it and runs it to its end. */
  handle = async (delivery: JobDelivery): Promise<JobVerdict> => {
    for (;;) {
      const history = await this.load(delivery);
      if (history === undefined) return {};
      try {
        const verdict = await this.attempt(delivery, history);
        if (verdict !== undefined) return verdict;
      } finally {
        history.place.leave();
      }
    }
  };

  /** The history of the delivery's task; nothing when it cannot be loaded, for which the task is failed. */
  private async load({ job: { taskId }, signal }: JobDelivery): Promise<LoadedHistory | undefined> {
    try {
      return await loadHistory(this.options.backend.events, this.room, taskId, signal);
    } catch (error) {
      if (!(error instanceof TaskError) || (error.code !== 'HISTORY_UNREADABLE' && error.code !== 'HISTORY_TOO_LARGE')) throw error;
      this.options.onError(error);
      const message = `The task failed permanently: ${error.message}`;
      await this.failPermanently(taskId, { code: INTERNAL_ERROR, message, data: { reason: error.code } });
      return undefined;
    }
  }

  /** @returns nothing when the delivery has to be looked at again */
  private async attempt(delivery: JobDelivery, history: LoadedHistory): Promise<JobVerdict | undefined> {
    const verdict = verdictOn(delivery, history.state, this.clock());
    if (verdict !== undefined) return verdict;
    const journal = await this.claim(delivery.job, history);
    if (journal === undefined) return {};
    const present = this.runs.get(delivery.job.taskId);
    if (present === undefined) return (await this.run(journal, delivery)) === 'overtaken' ? undefined : {};
    // Two jobs may stand for one pass, when a timer and an answer made it due. Two claims of one worker in one
    // millisecond are equal, so the second run would take the record of the first one's claim for its own.
    if (!mayTakeOver(delivery) && present.journal.state.passNumber === delivery.job.pass) return {};
    await present.over.catch(() => undefined);
    return undefined;
  }

  private async run(journal: PassJournal, { job, signal }: JobDelivery): Promise<PassEnd> {
    const { taskId } = job;
    const tool = journal.state.task?.tool ?? '';
    const startedAt = this.clock();
    const workflow = this.options.workflows(tool) ?? unknownTool(tool);
    const { stepTimeoutMs = STEP_TIMEOUT_MS, backend } = this.options;
    const run = startPass(journal, {
      workflow,
      clock: this.clock,
      chance: this.chance,
      sessionState: backend.sessionState,
      stepTimeoutMs,
    });
    const lose = (): void => run.lose();
    signal.addEventListener('abort', lose, { once: true });
    this.runs.set(taskId, run);
    if (this.releasing) run.release();
    const deadline = this.keepDeadline(journal, run);
    try {
      const end = await run.over;
      this.options.onPass?.({ job, end, tookMs: this.clock() - startedAt });
      return end;
    } finally {
      clearTimeout(deadline);
      signal.removeEventListener('abort', lose);
      if (this.runs.get(taskId) === run) this.runs.delete(taskId);
    }
  }

  /** Gives all running passes to other workers; their steps are aborted. */
  release(): void {
    this.releasing = true;
    for (const run of this.runs.values()) run.release();
  }

  /** Ends what `start` began. */
  stop(): void {
    for (const timer of this.timers) clearInterval(timer);
    this.sweep.stop();
    this.stopHearing?.();
  }

  /** A journal for the pass, or nothing when it may not be run, or the claim itself ended the task. */
  private async claim({ taskId, pass }: TaskJob, history: LoadedHistory): Promise<PassJournal | undefined> {
    const { workerId } = this.options;
    const journal = new PassJournal(this.writer, taskId, history, { type: 'ClaimPass', at: this.clock(), pass, workerId });
    const { outcome } = journal.state;
    if (outcome === undefined) return journal;
    if (outcome.kind === 'error') await this.failPermanently(taskId, outcome.error);
    return undefined;
  }

  private async failPermanently(taskId: TaskId, error: TaskFailure): Promise<void> {
    try {
      await this.writer.write(taskId, { type: 'FailPermanently', at: this.clock(), error });
    } catch (thrown) {
      if (!(thrown instanceof CommandRejected)) throw thrown; // Otherwise it has ended already.
    }
  }

  /** While the pass runs here, its worker ends the task when its time is over. */
  private keepDeadline({ taskId, state }: PassJournal, run: PassRun): NodeJS.Timeout | undefined {
    const deadline = nextDeadline(state);
    if (deadline === undefined) return undefined;
    const ring = async (): Promise<void> => {
      await expire(this.writer, taskId);
      await run.poke();
    };
    const delay = Math.min(Math.max(0, deadline.at - this.clock()), MAX_TIMER_MS);
    return setTimeout(() => void ring().catch(this.options.onError), delay).unref();
  }

  private async heartbeat(): Promise<void> {
    const taskIds = [...this.runs.keys()];
    if (taskIds.length === 0) return;
    const views = await this.options.backend.events.views(taskIds);
    for (const [index, taskId] of taskIds.entries()) {
      const run = this.runs.get(taskId);
      const view = views[index];
      if (view === undefined) run?.lose();
      else if (run !== undefined && view.version > run.journal.state.version) await run.poke();
    }
  }
}

/** What becomes of a delivery whose pass is not to be run now; nothing when it is. */
function verdictOn(delivery: JobDelivery, state: TaskState, now: number): JobVerdict | undefined {
  const { job } = delivery;
  if (state.pass.phase === 'running') return mayTakeOver(delivery) && state.passNumber === job.pass ? undefined : {};
  const next = nextPass(state);
  if (next?.pass !== job.pass) return {};
  return next.dueAt > now ? { againAt: next.dueAt } : undefined;
}

/** Whether the delivery may take over a pass that is recorded as running: its worker or its job was lost. */
function mayTakeOver({ redelivered, recovered = false }: JobDelivery): boolean {
  return redelivered || recovered;
}
