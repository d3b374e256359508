/**
 * How every event gets into a stream: decide on the present state, append on condition that nobody
 * was faster, and see to it that a pass which became due is enqueued.
 *
 * Dispatch is at least once. The intent is written before the append (by the order of the connection,
 * or on a cluster by waiting for it) and removed after the job was added, so that a crash anywhere in
 * between leaves an intent for the sweep. Adding a job twice does no harm: the domain rejects the
 * second claim.
 */
import type { TaskCommand } from '../domain/commands.js';
import { alarmOf } from '../domain/alarm.js';
import { decideAll } from '../domain/decide.js';
import type { TaskEvent } from '../domain/events.js';
import { fold } from '../domain/evolve.js';
import { nextPass, type NextPass } from '../domain/next-pass.js';
import { initialState, type TaskState } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskBackend } from '../backend.js';
import type { Clock } from '../clock.js';
import { TaskError } from '../errors.js';
import { project, retentionOf, type TaskView } from '../projections/task-view.js';
import type { AppendResult } from '../store/event-store.js';

/** What it takes to write. */
export interface WriterOptions {
  readonly backend: TaskBackend;
  readonly clock: Clock;
  /** Told of failures that the sweep or a later call repairs. */
  readonly onError: (error: unknown) => void;
}

/** An append between two states of one task. */
export interface Commit {
  readonly taskId: TaskId;
  readonly before: TaskState;
  readonly events: readonly TaskEvent[];
  readonly after: TaskState;
  /** Lease epoch of the pass that appends. */
  readonly epoch?: number;
}

/** Age from which an intent counts as left behind, milliseconds. */
export const OVERDUE_MS = 5_000;

/** Attempts against other writers before giving up; each loss means that another one won. */
const MAX_CONFLICTS = 64;

/** The one way to write to tasks. */
export class TaskWriter {
  constructor(private readonly options: WriterOptions) {}

  get now(): number {
    return this.options.clock();
  }

  /** The present state; version 0 when there is no such task. */
  async load(taskId: TaskId, from: TaskState = initialState): Promise<TaskState> {
    return fold(await this.readAfter(taskId, from.version), from);
  }

  /** The events after a version. */
  readAfter(taskId: TaskId, version: number): Promise<readonly TaskEvent[]> {
    return this.options.backend.events.read(taskId, version);
  }

  /**
   * Decides and appends until it wins.
   *
   * @param from a state that is known already, to save a read
   * @returns the state afterwards
   * @throws CommandRejected when a command is not allowed; TaskError `STORE_CONTENTION`, `STORE_UNAVAILABLE`
   */
  async write(taskId: TaskId, command: TaskCommand, from?: TaskState): Promise<TaskState> {
    let state = from ?? (await this.load(taskId));
    for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
      const { events, state: after } = decideAll([command], state);
      if (events.length === 0) return state;
      const result = await this.commit({ taskId, before: state, events, after });
      if (result === 'appended') return after;
      state = await this.load(taskId, state);
    }
    throw new TaskError('STORE_CONTENTION');
  }

  /** Appends once, and dispatches the pass that the append made due. */
  async commit({ taskId, before, events, after, epoch }: Commit): Promise<AppendResult> {
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
    // Rather too long, since only the store knows when the task was created by its own clock: one that is gone is not listed.
    const keptMs = Math.max(retention.fromCreationMs, retention.fromEndMs);
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
