/**
 * Writes every event into its stream: it decides on the present state, appends if no other writer was faster, and enqueues a pass that
 * became due.
 *
 * Dispatch is at least once. The task's entry in the agenda is dated with the append and removed after the task has ended and was retired,
 * so that the sweep finds everything that a crash left undone. A job that was added twice does no harm: the domain rejects the second
 * claim.
 */
import { accountsOf } from './accounts.js';
import { laneOf } from './lane.js';
import type { CreateTask, OutsideCommand } from '../domain/commands.js';
import { decideAll } from '../domain/decide.js';
import { kindOf } from '../domain/event-kinds.js';
import type { TaskEvent } from '../domain/events.js';
import { type Milliseconds, wholeMs } from '../domain/milliseconds.js';
import { DUE_GRACE_MS, LONGEST_LOOK_MS, nextLook, type LookDelays } from '../domain/next-look.js';
import { nextPass, type NextPass } from '../domain/next-pass.js';
import { CommandRejected } from '../domain/rejection.js';
import { initialState, type Outcome, type TaskState } from '../domain/state.js';
import { openChildrenOf } from '../domain/projections/open-children.js';
import { webhooksOf } from '../domain/projections/webhooks.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskStore } from '../ports/task-store.js';
import type { Clock } from '../ports/clock.js';
import { TaskError } from '../errors.js';
import { DEFAULT_MAX_HISTORY_BYTES, DEFAULT_MAX_OWNER_BYTES, type OwnerBytes } from '../limits.js';
import { restore } from '../domain/projections/project.js';
import { rowOf, statusOf } from '../domain/projections/task-row.js';
import { project } from '../domain/projections/project.js';
import { retentionOf, type TaskProjection, type TaskView } from '../domain/projections/task-view.js';
import { keptMsOf } from '../ports/keep-times.js';
import type { AppendRequest, AppendResult } from '../ports/event-store.js';
import type { Account, LimitRefusal, Registration } from '../ports/task-index.js';
import type { TaskJob } from '../ports/task-queue.js';
import type { TaskObserver } from '../ports/task-observer.js';
import { type StoredEvent, toStored } from '../ports/stored-event.js';
import { CommandTooLarge, Family, hasFamily } from './family.js';
import { cleanUpJob } from './clean-up-job.js';
import { type OnTask, reportOf } from './task-report.js';

/** Dependencies of the writer. */
export interface WriterOptions {
  readonly store: TaskStore;
  readonly clock: Clock;
  /** Called with failures that the sweep or a later call repairs. */
  readonly onError: (error: unknown) => void;
  readonly onTask?: OnTask | undefined;
  readonly observer?: TaskObserver | undefined;
  /** Whether tasks of the tool leave something behind when they are interrupted. @defaultValue none */
  readonly cleansUp?: ((tool: string) => boolean) | undefined;
  /** Limit of the history of a task, bytes. @defaultValue `DEFAULT_MAX_HISTORY_BYTES` */
  readonly maxHistoryBytes?: number;
  /** Limit of the histories of all tasks of an owner, bytes. @defaultValue `DEFAULT_MAX_OWNER_BYTES` */
  readonly maxOwnerBytes?: OwnerBytes;
}

/** An append between two states of one task. */
export interface Commit {
  readonly taskId: TaskId;
  readonly before: TaskState;
  readonly events: readonly StoredEvent[];
  readonly after: TaskState;
  /** Lease epoch of the pass that appends. */
  readonly epoch?: number;
  /** The history may not take more than this afterwards, bytes. */
  readonly maxBytes?: number;
  /** The same events as they were decided. */
  readonly decided: readonly TaskEvent[];
  /** The error that the workflow threw, if the task ends because of it. */
  readonly thrown?: unknown;
}

/** For a running pass the latest look is known, not the next one: the less work there is, the more often the sweep looks. */
const LOOK_DELAYS: LookDelays = { dueMs: DUE_GRACE_MS, runningMs: LONGEST_LOOK_MS };

/** An idempotency key is kept this long from the latest look at its unfinished task; looks are at most an hour apart. */
export const KEY_TTL_MS = 8 * 24 * 3_600_000;

/** An idempotency key is kept at least this long after its task is gone. */
const KEY_GRACE_MS = 24 * 3_600_000;

/** A job that is due earlier than this is not worth a command to remove it: its pass is not due when it comes, and it ends. */
const LEFT_JOB_MS = 60_000;

/** Attempts against other writers before the write fails; each loss means that another one won. */
const MAX_CONFLICTS = 64;

/** The one way to write to tasks. */
export class TaskWriter {
  /** What it passes on between tasks that have started each other. */
  readonly family: Family;

  constructor(private readonly options: WriterOptions) {
    this.family = new Family({
      events: options.store.events,
      write: (taskId, commands, maxBytes) => this.decideAndWrite(taskId, commands, undefined, maxBytes),
      now: options.clock,
      maxHistoryBytes: () => this.maxHistoryBytes,
      values: options.store.values,
    });
  }

  get maxHistoryBytes(): number {
    return this.options.maxHistoryBytes ?? DEFAULT_MAX_HISTORY_BYTES;
  }

  get observer(): TaskObserver | undefined {
    return this.options.observer;
  }

  get now(): number {
    return this.options.clock();
  }

  /** The events after a version. */
  readAfter(taskId: TaskId, version: number): Promise<readonly TaskEvent[]> {
    return this.options.store.events.read(taskId, version);
  }

  /** Notes the size of a task's history. @returns the limit that all histories of one of the accounts exceed, if the size could be noted */
  async countBytes(accounts: readonly string[], taskId: TaskId, bytes: number): Promise<{ readonly exceeded?: number } | undefined> {
    const { store, maxOwnerBytes = DEFAULT_MAX_OWNER_BYTES } = this.options;
    const count = async (account: string): Promise<readonly number[]> => {
      const limit = typeof maxOwnerBytes === 'function' ? maxOwnerBytes(account) : maxOwnerBytes;
      return (await store.index.countBytes(account, taskId, bytes, limit)) > limit ? [limit] : [];
    };
    try {
      const [exceeded] = (await Promise.all(accounts.map(count))).flat();
      return exceeded === undefined ? {} : { exceeded };
    } catch (error) {
      this.options.onError(error);
      return undefined;
    }
  }

  /**
   * Starts the stream of a task, and counts it under the accounts.
   *
   * @returns its view, nothing when the task exists already, or why it may not be created
   * @throws StoreUnreached, if nothing can have been done
   */
  async create(command: CreateTask, registration: Registration, accounts: readonly Account[]): Promise<{ view?: TaskView } | LimitRefusal> {
    const { events, state: after } = decideAll([command], initialState);
    const commit = {
      taskId: registration.taskId,
      before: initialState,
      events: events.map((event) => toStored(event)),
      decided: events,
      after,
    };
    let refusal: LimitRefusal | undefined;
    const { result, view } = await this.append(commit, async (request) => {
      const answer = await this.options.store.events.create(request, registration, accounts);
      if (typeof answer === 'string') return answer;
      refusal = answer;
      return 'conflict';
    });
    return refusal ?? (result === 'appended' ? { view } : {});
  }

  /**
   * Decides a command from outside a pass and appends until it wins. The history is not read: it may be
   * large, and the view is enough.
   *
   * @param known the view if it was read just now
   * @param maxBytes the history may not take more afterwards @defaultValue it must fit
   * @returns the view afterwards
   * @throws CommandRejected when the command is not allowed; CommandTooLarge; TaskError `STORE_CONTENTION`, `STORE_UNAVAILABLE`
   */
  async write(taskId: TaskId, command: OutsideCommand, known?: TaskView, maxBytes = Number.POSITIVE_INFINITY): Promise<TaskView> {
    return (await this.decideAndWrite(taskId, [command], known, maxBytes)).view;
  }

  /** The same. @returns whether the command changed anything */
  async changes(taskId: TaskId, command: OutsideCommand, known?: TaskView, maxBytes = Number.POSITIVE_INFINITY): Promise<boolean> {
    return (await this.decideAndWrite(taskId, [command], known, maxBytes)).isChanged;
  }

  private async decideAndWrite(
    taskId: TaskId,
    commands: readonly OutsideCommand[],
    known: TaskView | undefined,
    maxBytes: number,
  ): Promise<{ readonly view: TaskView; readonly isChanged: boolean }> {
    let view = known;
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
      view ??= (await this.options.store.events.views([taskId]))[0];
      if (view === undefined) throw new CommandRejected('TASK_NOT_FOUND', 'There is no such task.');
      const before = restore(view);
      const { events, state: after } = decideAll(commands, before);
      if (events.length === 0) return { view, isChanged: false };
      const limit = Number.isFinite(maxBytes) ? { maxBytes } : {};
      const stored = events.map((event) => toStored(event));
      const appended = await this.append({ taskId, before, events: stored, decided: events, after, ...limit });
      if (appended.result === 'too-large')
        throw new CommandTooLarge(`${commands[0]?.type} does not fit into the history of task ${taskId}.`);
      if (appended.result === 'appended') return { view: appended.view, isChanged: true };
      view = undefined;
    }
    throw new TaskError('STORE_CONTENTION');
  }

  /** Appends once, and dispatches the pass that the append made due. */
  async commit(commit: Commit): Promise<AppendResult> {
    return (await this.append(commit)).result;
  }

  /** The same, with the view after the append. */
  private async append(
    commit: Commit,
    send = (request: AppendRequest): Promise<AppendResult> => this.options.store.events.append(request),
  ): Promise<{ result: AppendResult; view: TaskView }> {
    const { taskId, before, events, after, epoch, maxBytes, decided } = commit;
    const { store } = this.options;
    const due = newlyDue(before, after);
    const projection = this.projected(taskId, after);
    const { view } = projection;
    const webhooks = webhooksOf({ before, events: decided, after, projection });
    const lookInMs =
      this.leavesSomething(view) || (after.outcome !== undefined && hasFamily(view))
        ? wholeMs(DUE_GRACE_MS)
        : this.earlierLook(before, after);
    const result = await send({
      taskId,
      expectedVersion: before.version,
      ...(epoch !== undefined && { epoch }),
      events,
      ...(maxBytes !== undefined && { maxBytes }),
      projection,
      epochAfter: after.epoch,
      ...(lookInMs !== undefined && { lookInMs }),
      ...(epoch === undefined && before.pass.phase === 'running' && events.some(interrupts) && { interrupts: true }),
      ...(changesRow(view, before) && { row: rowOf(view) }),
      ...(webhooks !== undefined && { webhooks }),
      ...(after.outcome !== undefined && {
        retires: { accounts: accountsOf(view), keptMs: ownMsOf(view), storedMs: wholeMs(view.keptMs ?? 0) },
      }),
    });
    if (result !== 'appended') return { result, view };
    this.report(view, commit);
    // Failures from here on are left to the sweep.
    if (due !== undefined) await this.guard(() => store.queue.add(this.jobOf(view, due.pass), due.dueAt));
    const left = leftJob(before, after, this.now);
    if (left !== undefined) await this.guard(() => store.queue.withdraw(this.jobOf(view, left)));
    if (hasFamily(view)) await this.guard(() => this.family.afterAppend(view, decided));
    if (before.openChildren.size > 0 && after.runSince !== before.runSince)
      await this.guard(() => this.family.cancel(view, openChildrenOf(before) ?? []));
    if (after.outcome !== undefined) await this.guard(() => this.spend(view, after.outcome));
    return { result, view };
  }

  /** The job of a pass. */
  jobOf({ taskId, owner, tool, priority }: Pick<TaskView, 'taskId' | 'owner' | 'tool' | 'priority'>, pass: number): TaskJob {
    return { taskId, pass, lane: laneOf(owner), tool, ...(priority !== undefined && { priority }) };
  }

  /**
   * Adds how long operators have the task after its end, so that every reader knows it. A store that fills up keeps nothing for operators.
   */
  private projected(taskId: TaskId, after: TaskState): TaskProjection {
    const { keep, capacity } = this.options.store;
    const { view, ...outcome } = project(taskId, after);
    const keptMs = view.ending === undefined ? 0 : keptMsOf(keep, statusOf(view));
    return { view: keptMs > 0 && capacity.hasRoomToSpare() ? { ...view, keptMs } : view, ...outcome };
  }

  /** Reports an append that is in the stream, and that the task was created or has ended if one of the two happened with it. */
  report(view: TaskView, { taskId, before, decided, after, thrown }: Omit<Commit, 'events'>): void {
    const { onTask, observer } = this.options;
    observer?.onAppend({ taskId, before, events: decided, after });
    const report = onTask && reportOf(view, before, after, thrown);
    if (report !== undefined) onTask?.(report);
  }

  /** The milliseconds until the task must be looked at, unless its entry is already dated for that time or earlier by the state before. */
  private earlierLook(before: TaskState, after: TaskState): Milliseconds | undefined {
    const inMs = nextLook(after, this.now, LOOK_DELAYS);
    return inMs < nextLook(before, this.now, LOOK_DELAYS) ? inMs : undefined;
  }

  /** Whether the task may have left something behind: it was interrupted, after a pass had begun. */
  private leavesSomething({ ending, standing, tool }: TaskView): boolean {
    const isInterrupted = ending !== undefined && (ending.kind !== 'result' || ending.isError) && standing.epoch > 0;
    return isInterrupted && (this.options.cleansUp?.(tool) ?? false);
  }

  /**
   * Retires a task: requests the clean-up of an interrupted one, records the end in the index of each account, and marks its idempotency
   * key as used. After that no look at the task is needed. May be repeated.
   */
  async retire(view: TaskView): Promise<void> {
    if (view.endedAt === undefined) return;
    await this.options.store.index.retire(accountsOf(view), view.taskId, ownMsOf(view), wholeMs(view.keptMs ?? 0));
    await this.spend(view);
  }

  /** The rest of what `retire` does, after an append that has retired the task in the index. */
  private async spend(view: TaskView, outcome?: Outcome): Promise<void> {
    const { taskId, owner, idempotencyKey } = view;
    const { index, agenda, queue } = this.options.store;
    if (hasFamily(view)) await this.family.afterEnd(view, outcome);
    if (this.leavesSomething(view)) await queue.addSideJob(cleanUpJob(view));
    if (idempotencyKey !== undefined) await index.keepKey(owner, idempotencyKey, taskId, wholeMs(ownMsOf(view) + KEY_GRACE_MS));
    agenda.remove(taskId);
  }

  private async guard(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.options.onError(error);
    }
  }
}

/**
 * How long the client of an ended task has it. The value may be too long, since only the store knows when the task began by its own clock;
 * a task that is gone is not listed.
 */
function ownMsOf(view: TaskView): Milliseconds {
  const { fromBeginMs = 0, fromEndMs = 0 } = retentionOf(view) ?? {};
  return wholeMs(Math.max(fromBeginMs, fromEndMs));
}

/** Whether the worker that runs the task has to hear of an event of others at once. */
function interrupts({ type }: StoredEvent): boolean {
  const role = kindOf(type)?.role;
  return role === 'ends' || role === 'settles';
}

/** Whether the operators' row changes: the task was created, or has another status. */
function changesRow(view: TaskView, before: TaskState): boolean {
  if (before.version === 0) return true;
  return statusOf(view) !== (before.pendingInputs.size > 0 ? 'input_required' : 'working');
}

/** The pass whose job would stay for long in the queue, though its task waits for it no more. */
function leftJob(before: TaskState, after: TaskState, now: number): number | undefined {
  const was = before.version === 0 ? undefined : nextPass(before);
  if (was === undefined || was.dueAt < now + LEFT_JOB_MS) return undefined;
  const next = nextPass(after);
  return next?.pass === was.pass && next.dueAt > now ? undefined : was.pass;
}

function newlyDue(before: TaskState, after: TaskState): NextPass | undefined {
  const due = nextPass(after);
  const was = before.version === 0 ? undefined : nextPass(before);
  return due !== undefined && (due.pass !== was?.pass || due.dueAt !== was.dueAt) ? due : undefined;
}
