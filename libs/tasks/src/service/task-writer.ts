/**
 * How every event gets into a stream: decide on the present state, append on condition that nobody
 * was faster, and see to it that a pass which became due is enqueued.
 *
 * Dispatch is at least once. The intent is written before the append (by the order of the connection,
 * or on a cluster by waiting for it) and removed after the job was added, so that a crash anywhere in
 * between leaves an intent for the sweep. Adding a job twice does no harm: the domain rejects the
 * second claim.
 */
import type { CreateTask, OutsideCommand } from '../domain/commands.js';
import { alarmOf } from '../domain/alarm.js';
import { decideAll } from '../domain/decide.js';
import type { TaskEvent } from '../domain/events.js';
import { nextPass, type NextPass } from '../domain/next-pass.js';
import { CommandRejected } from '../domain/rejection.js';
import { initialState, type TaskState } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskBackend } from '../backend.js';
import type { Clock } from '../clock.js';
import { TaskError } from '../errors.js';
import { DEFAULT_MAX_HISTORY_BYTES } from './history-limits.js';
import { restore } from '../projections/standing.js';
import { project, retentionOf, type TaskView } from '../projections/task-view.js';
import type { AppendResult } from '../store/event-store.js';
import { type StoredEvent, toStored } from '../store/stored-event.js';

/** What it takes to write. */
export interface WriterOptions {
  readonly backend: TaskBackend;
  readonly clock: Clock;
  /** Told of failures that the sweep or a later call repairs. */
  readonly onError: (error: unknown) => void;
  /** What the history of a task may take, bytes. @defaultValue `DEFAULT_MAX_HISTORY_BYTES` */
  readonly maxHistoryBytes?: number;
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
}

/** Age from which an intent counts as left behind, milliseconds. */
export const OVERDUE_MS = 5_000;

/** Attempts against other writers before giving up; each loss means that another one won. */
const MAX_CONFLICTS = 64;

/** The one way to write to tasks. */
export class TaskWriter {
  constructor(private readonly options: WriterOptions) {}

  get maxHistoryBytes(): number {
    return this.options.maxHistoryBytes ?? DEFAULT_MAX_HISTORY_BYTES;
  }

  get now(): number {
    return this.options.clock();
  }

  /** The events after a version. */
  readAfter(taskId: TaskId, version: number): Promise<readonly TaskEvent[]> {
    return this.options.backend.events.read(taskId, version);
  }

  /**
   * Starts the stream of a task.
   *
   * @returns its view, or nothing when there is such a task already
   */
  async create(taskId: TaskId, command: CreateTask): Promise<TaskView | undefined> {
    const { events, state: after } = decideAll([command], initialState);
    const result = await this.commit({ taskId, before: initialState, events: events.map((event) => toStored(event)), after });
    return result === 'appended' ? project(taskId, after).view : undefined;
  }

  /**
   * Decides a command from outside a pass and appends until it wins. The history is not read: it may be
   * large, and the view is enough.
   *
   * @param known the view if it was read just now
   * @returns the view afterwards
   * @throws CommandRejected when the command is not allowed; TaskError `STORE_CONTENTION`, `STORE_UNAVAILABLE`
   */
  async write(taskId: TaskId, command: OutsideCommand, known?: TaskView): Promise<TaskView> {
    let view = known;
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
      view ??= (await this.options.backend.events.views([taskId]))[0];
      if (view === undefined) throw new CommandRejected('TASK_NOT_FOUND', 'There is no such task.');
      const before = restore(view);
      const { events, state: after } = decideAll([command], before);
      if (events.length === 0) return view;
      const result = await this.commit({ taskId, before, events: events.map((event) => toStored(event)), after });
      if (result === 'appended') return project(taskId, after).view;
      view = undefined;
    }
    throw new TaskError('STORE_CONTENTION');
  }

  /** Appends once, and dispatches the pass that the append made due. */
  async commit({ taskId, before, events, after, epoch, maxBytes }: Commit): Promise<AppendResult> {
    const { backend } = this.options;
    const due = newlyDue(before, after);
    const projection = project(taskId, after);
    const alarms = { was: alarmOf(before), is: alarmOf(after) };
    const noted = this.noteIntents(taskId, due, alarms.is);
    if (!backend.intents.precedesAppend) await Promise.all(noted);
    const appended = backend.events.append({
      taskId,
      expectedVersion: before.version,
      ...(epoch !== undefined && { epoch }),
      events,
      ...(maxBytes !== undefined && { maxBytes }),
      projection,
      epochAfter: after.epoch,
      ...(epoch === undefined && before.pass.phase === 'running' && after.outcome !== undefined && { interrupts: true }),
    });
    const [result] = await Promise.all([appended, ...noted]);
    // After a conflict the intents stay: another writer may rely on equal ones, and the sweep settles them.
    if (result !== 'appended') return result;
    if (alarms.was !== undefined && alarms.was.dueAt !== alarms.is?.dueAt) backend.intents.settle({ taskId, ...alarms.was });
    if (due !== undefined) await this.dispatch(taskId, due);
    if (after.outcome !== undefined) await this.retire(taskId, projection.view);
    return result;
  }

  private noteIntents(taskId: TaskId, due: NextPass | undefined, alarm: NextPass | undefined): Promise<void>[] {
    const { intents } = this.options.backend;
    const noted: Promise<void>[] = [];
    if (due !== undefined) noted.push(intents.note({ taskId, ...due }, this.now));
    // An intent counts as left behind when it is old; dated back, this one does at the deadline.
    if (alarm !== undefined) noted.push(intents.note({ taskId, ...alarm }, alarm.dueAt - OVERDUE_MS));
    return noted;
  }

  /** Enqueues a pass and settles its intent; what fails here is left to the sweep. */
  async dispatch(taskId: TaskId, { pass, dueAt }: NextPass): Promise<void> {
    const { queue, intents } = this.options.backend;
    await this.guard(async () => {
      await queue.add({ taskId, pass }, dueAt);
      intents.settle({ taskId, pass, dueAt });
    });
  }

  /** Has the owner's index know that the task ended. */
  async retire(taskId: TaskId, view: TaskView): Promise<void> {
    const retention = retentionOf(view);
    if (retention === undefined) return;
    // Rather too long, since only the store knows when the task began by its own clock: one that is gone is not listed.
    const keptMs = Math.max(retention.fromBeginMs, retention.fromEndMs);
    await this.guard(() => this.options.backend.index.retire(view.owner, taskId, keptMs));
  }

  private async guard(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.options.onError(error);
    }
  }
}

function newlyDue(before: TaskState, after: TaskState): NextPass | undefined {
  const due = nextPass(after);
  const was = before.version === 0 ? undefined : nextPass(before);
  return due !== undefined && (due.pass !== was?.pass || due.dueAt !== was.dueAt) ? due : undefined;
}
