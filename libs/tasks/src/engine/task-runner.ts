/**
 * Runs tasks on a worker: it takes deliveries, claims passes and runs them. It stops a running pass after a cancellation (at once by
 * message, otherwise at the next heartbeat), when another worker claimed the task, when the job is lost, or when the worker shuts down.
 */
import type { TaskStore } from '../ports/task-store.js';
import type { Clock } from '../ports/clock.js';
import { NODE_TIMERS, type Timers } from '../ports/timers.js';
import { nextDeadline } from '../domain/next-deadline.js';
import type { TaskId } from '../domain/task-id.js';
import type { JobDelivery, JobVerdict, SideJobHandler, TaskJob } from '../ports/task-queue.js';
import type { Randomness } from '../replay/context-operation.js';
import { isClaimRecorded, PassJournal } from '../replay/pass-journal.js';
import type { PassEnd } from '../replay/drafts.js';
import type { PassRun } from '../replay/pass-run.js';
import { startPass } from '../replay/run-pass.js';
import { type ChildStarter, NO_CHILDREN } from '../replay/child-starter.js';
import type { Workflow, WorkflowRegistry } from '../replay/workflow.js';
import type { Unsubscribe } from '../ports/event-store.js';
import type { ParkedTask } from '../ports/parked-tasks.js';
import type { OwnerContexts } from '../ports/owner-context.js';
import type { TaskObserver } from '../ports/task-observer.js';
import type { SessionValueStore } from '../ports/session-values.js';
import { TaskError, type TaskErrorCode } from '../errors.js';
import { timerDelay } from '../timer-delay.js';
import { WorkerLease } from '../replay/worker-lease.js';
import { HistoryRoom } from '../history/history-room.js';
import { RecentHistories } from '../history/recent-histories.js';
import { loadHistory, type LoadedHistory } from '../history/load-history.js';
import { isView, readableViews } from './readable-views.js';
import { type ChildOptions, createChildStarter } from './start-child.js';
import { createCleanUps, mayLeaveSomething } from './clean-ups.js';
import { failPermanently, failureFor } from './fail-permanently.js';
import { type StuckPass, StuckPasses } from './stuck-passes.js';
import { Sweep } from './sweep.js';
import { expire } from './task-look.js';
import { TaskParking } from './task-parking.js';
import { createSignalDoor } from './signal-door.js';
import type { SignalDoor } from '../replay/signal-door.js';
import type { OwnerBytes } from '../limits.js';
import { TaskWriter } from '../write/task-writer.js';
import type { OnTask } from '../write/task-report.js';
import { mayTakeOver, verdictOn } from './verdict-on.js';

/** Dependencies of a worker. */
export interface TaskRunnerOptions {
  readonly store: TaskStore;
  /** The values that tasks remember for the sessions of their clients. */
  readonly sessionValues: SessionValueStore;
  /** The records that tasks keep for their owners. */
  readonly owners: OwnerContexts;
  /** Starts the tasks that tasks call. @defaultValue none are started */
  readonly children?: ChildOptions | undefined;
  readonly workflows: WorkflowRegistry;
  /** Names this worker in the history of the tasks that it ran. */
  readonly workerId: string;
  /** Version of the deployment that this worker runs: recorded with each pass, and compared with the versions of others. */
  readonly version: string;
  /** Whether it also finds and repairs the unfinished work of others, and takes tasks that they gave back. @defaultValue true */
  readonly repairs?: boolean;
  /** Other work that becomes due, which is done with each sweep: webhooks, schedules. @defaultValue none */
  readonly dueWork?: readonly { run(): Promise<void> }[] | undefined;
  /** Passes that this worker runs at once: free slots take tasks that others gave back. @defaultValue 1 */
  readonly concurrency?: number;
  /** How long a task waits while no worker is alive that could run it, milliseconds. @defaultValue a minute */
  readonly noWorkerMs?: number;
  readonly clock?: Clock;
  /** The timers of passes. @defaultValue the timers of Node */
  readonly timers?: Timers;
  readonly chance?: Randomness;
  /** How long a step without a limit of its own may take, milliseconds. @defaultValue an hour */
  readonly stepTimeoutMs?: number;
  /** A try of a step that runs for longer than this is recorded as started, milliseconds. @defaultValue a second */
  readonly slowStepMs?: number;
  /** The URL of the endpoint as others know it, for the addresses that tasks make. @defaultValue they make none */
  readonly publicUrl?: string | undefined;
  readonly onError: (error: unknown) => void;
  /** Called for each task that ended here. */
  readonly onTask?: OnTask;
  /** Sees what happens to tasks here. */
  readonly observer?: TaskObserver | undefined;
  /** Called for each task that this worker could not run. */
  readonly onGivenBack?: (task: ParkedTask) => void;
  /** Limit of the history of a task, bytes. @defaultValue 64 MiB */
  readonly maxHistoryBytes?: number;
  /** Limit of the histories of all tasks of an owner, bytes. @defaultValue 256 MiB */
  readonly maxOwnerBytes?: OwnerBytes;
  /** Without it no step starts. @defaultValue one that lasts for ever */
  readonly lease?: WorkerLease;
  /** @defaultValue one for the heap of this process */
  readonly historyRoom?: HistoryRoom;
  /** Called for each pass that ended here, with the error that the workflow threw in it. */
  readonly onPass?: (pass: { readonly job: TaskJob; readonly end: PassEnd; readonly tookMs: number; readonly thrown?: unknown }) => void;
  /** Called once a minute for each pass that has recorded nothing for a minute. */
  readonly onStuck?: (pass: StuckPass) => void;
}

interface EndedPass {
  readonly end: PassEnd;
  /** How the workflow did not fit, if the pass ended as a misfit. */
  readonly misfit: string;
}

/** How often running passes look for changes if they missed the message, and how often the agenda is checked for due tasks. */
const HEARTBEAT_MS = 2_500;
const SWEEP_MS = 1_000;
/** How often parked tasks are looked at without a notice that one was parked. */
const PARKED_MS = 1_000;
const STEP_TIMEOUT_MS = 3_600_000;
/** So that people see it running within two seconds, and steps that have ended by then cost no extra append. */
const SLOW_STEP_MS = 1_000;
/** The error codes of a history that no worker can ever load. */
const LOST_HISTORY: ReadonlySet<TaskErrorCode> = new Set(['HISTORY_UNREADABLE', 'HISTORY_TOO_LARGE', 'VALUE_NOT_GENUINE']);

/** Runs the passes of one worker process. */
export class TaskRunner {
  /** The handler that a queue's consumer needs besides `handle`: it cleans up after interrupted tasks. */
  readonly sideJobs: Readonly<Record<string, SideJobHandler>>;
  private readonly runs = new Map<TaskId, PassRun>();
  private readonly writer: TaskWriter;
  private readonly parking: TaskParking;
  private readonly room: HistoryRoom;
  private readonly recent: RecentHistories;
  private readonly lease: WorkerLease;
  private readonly clock: Clock;
  private readonly chance: Randomness;
  private readonly signals: SignalDoor;
  private readonly stuck: StuckPasses;
  private readonly sweep: Sweep;
  private readonly children: ChildStarter;
  private readonly timers: NodeJS.Timeout[] = [];
  private stopHearing: Unsubscribe | undefined;
  private releasing = false;

  constructor(private readonly options: TaskRunnerOptions) {
    this.clock = options.clock ?? options.store.clock;
    this.chance = options.chance ?? { random: Math.random, uuid: () => crypto.randomUUID() };
    const { store, version, workflows, concurrency = 1, noWorkerMs, onGivenBack, onError, onTask, observer } = options;
    const { maxHistoryBytes, maxOwnerBytes } = options;
    this.room = options.historyRoom ?? new HistoryRoom();
    this.recent = new RecentHistories(store.events, this.room, this.clock);
    this.lease = options.lease ?? WorkerLease.forever();
    const limits = { ...(maxHistoryBytes !== undefined && { maxHistoryBytes }), ...(maxOwnerBytes !== undefined && { maxOwnerBytes }) };
    const cleansUp = mayLeaveSomething(workflows);
    this.writer = new TaskWriter({ store, clock: this.clock, onError, onTask, observer, cleansUp, ...limits });
    this.children = options.children === undefined ? NO_CHILDREN : createChildStarter(store, this.writer, options.children);
    this.signals = createSignalDoor({ store, writer: this.writer, clock: this.clock, publicUrl: options.publicUrl });
    const knows = (tool: string): boolean => workflows(tool) !== undefined;
    this.parking = new TaskParking({ store, writer: this.writer, version, knows, concurrency, noWorkerMs, onGivenBack, onError });
    this.stuck = new StuckPasses(this.clock, (pass) => options.onStuck?.(pass));
    this.sweep = new Sweep({ store, writer: this.writer, onError });
    const { room, clock } = this;
    this.sideJobs = createCleanUps({ store, room, workflows, owners: options.owners, clock, concurrency, onError });
  }

  /** Begins to listen for interruptions and to sweep. */
  async start(): Promise<void> {
    const { store, onError } = this.options;
    this.stopHearing = await store.events.onInterrupted((taskId) => void this.runs.get(taskId)?.poke());
    const every = (ms: number, work: () => Promise<unknown>) =>
      this.timers.push(setInterval(() => void work().catch(onError), ms * (0.9 + 0.2 * this.chance.random())).unref());
    every(HEARTBEAT_MS, () => this.heartbeat());
    every(HEARTBEAT_MS, async () => this.stuck.look(this.runs.values()));
    if (!(this.options.repairs ?? true)) return;
    every(SWEEP_MS, () => this.sweep.run());
    for (const work of this.options.dueWork ?? []) every(SWEEP_MS, () => work.run());
    every(PARKED_MS, () => this.parking.look());
    await this.parking.taker.start();
  }

  /** Runs a delivery, by `handle` or otherwise, in one of the slots that also take tasks which others gave back. */
  inSlot(work: () => Promise<JobVerdict>): Promise<JobVerdict> {
    return this.parking.taker.inSlot(work);
  }

  /** Parks the task again if this version was asked for it already. @returns whether it did */
  wasAsked(delivery: JobDelivery): Promise<boolean> {
    return this.parking.giveBack.again(delivery);
  }

  /** Handles one delivery of a job: decides whether its pass is due, claims it and runs it to its end. */
  handle = async (delivery: JobDelivery): Promise<JobVerdict> => {
    if (await this.wasAsked(delivery)) return {};
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

  /** Loads the history of the delivery's task. If it cannot be loaded, the task is failed and nothing is returned. */
  private async load({ job: { taskId, pass }, redelivered, signal }: JobDelivery): Promise<LoadedHistory | undefined> {
    try {
      const recent = redelivered ? undefined : await this.recent.load(taskId, signal);
      return recent ?? (await loadHistory(this.options.store.events, this.room, taskId, signal, pass === 1 && !redelivered));
    } catch (error) {
      if (!(error instanceof TaskError) || !LOST_HISTORY.has(error.code)) throw error;
      this.options.onError(error);
      const message = `The task failed permanently: ${error.message}`;
      await failPermanently(this.writer, taskId, failureFor(error.code, message));
      return undefined;
    }
  }

  /** @returns nothing when the delivery must be looked at again */
  private async attempt(delivery: JobDelivery, history: LoadedHistory): Promise<JobVerdict | undefined> {
    const verdict = verdictOn(delivery, history.state, this.clock());
    const { giveBack } = this.parking;
    if (await this.parking.unreadable(delivery, history.state, verdict === undefined)) return {};
    if (verdict !== undefined) return verdict;
    const workflow = this.options.workflows(history.state.task?.tool ?? '');
    if (workflow === undefined) {
      await giveBack.unknownTool(delivery, history.state);
      return {};
    }
    if (await giveBack.knownMisfit(delivery, history.state)) return {};
    const journal = await this.claim(delivery, history);
    // A job that was lost by now has another worker.
    if (journal === undefined || delivery.signal.aborted) return {};
    const present = this.runs.get(delivery.job.taskId);
    if (present === undefined) {
      // A suspect may end this process before anything is recorded, so its start is recorded first.
      if (delivery.trial !== undefined && !(await isClaimRecorded(journal, delivery.signal))) return undefined;
      const { end, misfit } = await this.run(journal, delivery, workflow);
      if (end === 'misfit') await giveBack.misfit(delivery, history.state, journal, misfit);
      return end === 'overtaken' ? undefined : {};
    }
    // Two jobs may stand for one pass, when a timer and an answer made it due. Two claims of one worker in one millisecond are equal. So
    // the second run would mistake the record of the first claim for its own.
    if (!mayTakeOver(delivery) && present.journal.state.passNumber === delivery.job.pass) return {};
    await present.over.catch(() => undefined);
    return undefined;
  }

  private async run(journal: PassJournal, { job, signal, trial }: JobDelivery, workflow: Workflow): Promise<EndedPass> {
    const { taskId } = job;
    const startedAt = this.clock();
    const { stepTimeoutMs = STEP_TIMEOUT_MS, slowStepMs = SLOW_STEP_MS, sessionValues, owners, timers = NODE_TIMERS } = this.options;
    const run = startPass(journal, {
      workflow,
      clock: this.clock,
      timers,
      chance: this.chance,
      sessionValues,
      owners,
      children: this.children,
      signals: this.signals,
      stepTimeoutMs,
      slowStepMs,
      lease: this.lease,
      values: this.options.store.values,
      onTrouble: this.options.onError,
    });
    // A trial without a record counts against its task.
    const lose = (): void => (trial === undefined ? run.lose() : run.release());
    signal.addEventListener('abort', lose, { once: true });
    if (signal.aborted) lose();
    this.runs.set(taskId, run);
    if (this.releasing) run.release();
    const deadline = this.keepDeadline(journal, run);
    try {
      const end = await run.over;
      this.options.onPass?.({ job, end, tookMs: this.clock() - startedAt, thrown: journal.thrown });
      if (end === 'suspended' && journal.recorded !== undefined) this.recent.keep(taskId, journal.recorded);
      return { end, misfit: run.misfit ?? '' };
    } finally {
      clearTimeout(deadline);
      signal.removeEventListener('abort', lose);
      if (this.runs.get(taskId) === run) this.runs.delete(taskId);
    }
  }

  /** How many passes run here. */
  get running(): number {
    return this.runs.size;
  }

  /** Gives all running passes to other workers; their steps are aborted. */
  release(): void {
    this.releasing = true;
    for (const run of this.runs.values()) run.release();
  }

  /** Takes no more parked tasks; deliveries are still handled. */
  drain(): void {
    this.parking.taker.stop();
  }

  /** Ends what `start` began. */
  stop(): void {
    this.drain();
    for (const timer of this.timers) clearInterval(timer);
    this.sweep.stop();
    this.stopHearing?.();
  }

  /** Claims the pass and makes its journal. Returns nothing when the pass may not run, or when the claim itself ended the task. */
  private async claim({ job: { taskId, pass }, trial }: JobDelivery, history: LoadedHistory): Promise<PassJournal | undefined> {
    const { workerId, version } = this.options;
    const isolated = trial !== undefined && { trial };
    const claim = { type: 'ClaimPass', at: this.clock(), pass, workerId, version, ...isolated } as const;
    const journal = new PassJournal(this.writer, taskId, history, claim);
    const { outcome } = journal.state;
    if (outcome === undefined) return journal;
    if (outcome.kind === 'error') await failPermanently(this.writer, taskId, outcome.error);
    return undefined;
  }

  /** While the pass runs here, its worker ends the task when the task's time has expired. */
  private keepDeadline({ taskId, state }: PassJournal, run: PassRun): NodeJS.Timeout | undefined {
    const deadline = nextDeadline(state);
    if (deadline === undefined) return undefined;
    const ring = async (): Promise<void> => {
      await expire(this.writer, taskId);
      await run.poke();
    };
    const delay = timerDelay(deadline.at - this.clock());
    return setTimeout(() => void ring().catch(this.options.onError), delay).unref();
  }

  private async heartbeat(): Promise<void> {
    const taskIds = [...this.runs.keys()];
    if (taskIds.length === 0) return;
    const views = await readableViews(this.options.store.events, taskIds, 'client');
    for (const [index, taskId] of taskIds.entries()) {
      const run = this.runs.get(taskId);
      const view = views[index];
      if (view === undefined) run?.lose();
      else if (run !== undefined && isView(view) && view.version > run.journal.state.version) await run.poke();
    }
  }
}
