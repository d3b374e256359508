/**
 * A worker's side of tasks: takes deliveries, claims passes and runs them, and hears of everything
 * that must stop a running pass: cancellation (at once by message, otherwise at the next heartbeat),
 * another worker that claimed the task, a lost job, the worker's own shutdown.
 */
import type { TaskBackend } from '../backend.js';
import type { Clock } from '../clock.js';
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
import { sweepIntents } from './sweep.js';
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
  readonly onError: (error: unknown) => void;
  /** Told of each pass that ended here. */
  readonly onPass?: (pass: { readonly job: TaskJob; readonly end: PassEnd; readonly tookMs: number }) => void;
}

/** How often running passes look for what they were not told of, and left-behind intents are looked for. */
const HEARTBEAT_MS = 2_500;
const SWEEP_MS = 5_000;
/** A task that loses this many workers in a row, with nothing recorded in between, is given up. */
const MAX_LOST_PASSES = 3;

/** Runs the passes of one worker process. */
export class TaskRunner {
  private readonly runs = new Map<TaskId, PassRun>();
  private readonly writer: TaskWriter;
  private readonly clock: Clock;
  private readonly chance: Randomness;
  private readonly timers: NodeJS.Timeout[] = [];
  private stopHearing: Unsubscribe | undefined;
  private releasing = false;

  constructor(private readonly options: TaskRunnerOptions) {
    this.clock = options.clock ?? Date.now;
    this.chance = options.chance ?? { random: Math.random, uuid: () => crypto.randomUUID() };
    this.writer = new TaskWriter({ backend: options.backend, clock: this.clock, onError: options.onError });
  }

  /** Begins to hear of interruptions and to sweep. */
  async start(): Promise<void> {
    const { backend, onError } = this.options;
    this.stopHearing = await backend.events.onInterrupted((taskId) => void this.runs.get(taskId)?.poke());
    const every = (ms: number, work: () => Promise<unknown>) =>
      this.timers.push(setInterval(() => void work().catch(onError), ms * (0.9 + 0.2 * this.chance.random())).unref());
    every(HEARTBEAT_MS, () => this.heartbeat());
    every(SWEEP_MS, () => sweepIntents(backend, this.writer));
  }

  /** Handles one delivery of a job: decides whether its pass is due, claims it and runs it to its end. */
  handle = async ({ job, redelivered, signal }: JobDelivery): Promise<JobVerdict> => {
    const { taskId } = job;
    const state = await this.writer.load(taskId);
    if (state.pass.phase === 'running') {
      if (!redelivered || state.passNumber !== job.pass) return {};
    } else {
      const next = nextPass(state);
      if (next?.pass !== job.pass) return {};
      if (next.dueAt > this.clock()) return { againAt: next.dueAt };
    }
    const workflow = this.options.workflows(state.task?.tool ?? '') ?? unknownTool(state.task?.tool ?? '');
    const claimed = await this.claim(job, state);
    if (claimed === undefined) return {};

    const journal = new PassJournal(this.writer, taskId, claimed.epoch, claimed);
    const startedAt = this.clock();
    const run = startPass(journal, { workflow, clock: this.clock, chance: this.chance });
    const lose = (): void => run.lose();
    signal.addEventListener('abort', lose, { once: true });
    this.runs.set(taskId, run);
    if (this.releasing) run.release();
    try {
      const end = await run.over;
      this.options.onPass?.({ job, end, tookMs: this.clock() - startedAt });
      return {};
    } finally {
      signal.removeEventListener('abort', lose);
      if (this.runs.get(taskId) === run) this.runs.delete(taskId);
    }
  };

  /** Gives all running passes to other workers; their steps are aborted. */
  release(): void {
    this.releasing = true;
    for (const run of this.runs.values()) run.release();
  }

  /** Ends what `start` began. */
  stop(): void {
    for (const timer of this.timers) clearInterval(timer);
    this.stopHearing?.();
  }

  private async claim({ taskId, pass }: TaskJob, state: TaskState): Promise<TaskState | undefined> {
    const { workerId } = this.options;
    try {
      const claimed = await this.writer.write(
        taskId,
        { type: 'ClaimPass', at: this.clock(), pass, workerId, maxLostPasses: MAX_LOST_PASSES },
        state,
      );
      return claimed.outcome === undefined ? claimed : undefined;
    } catch (error) {
      if (error instanceof CommandRejected) return undefined; // Another worker was faster, or the task has ended.
      throw error;
    }
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
