/** Looks at an unfinished task: it does what the task needs to continue, and says when the next look is due. */
import type { TaskStore } from '../ports/task-store.js';
import { accountsOf } from '../write/accounts.js';
import { nextDeadline } from '../domain/next-deadline.js';
import { nextLook } from '../domain/next-look.js';
import { nextPass } from '../domain/next-pass.js';
import { CommandRejected } from '../domain/rejection.js';
import type { TaskState } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import { restore } from '../domain/projections/project.js';
import type { TaskView } from '../domain/projections/task-view.js';
import type { SoughtJob } from '../ports/task-queue.js';
import type { AgendaVerdict } from '../ports/task-agenda.js';
import { hasFamily } from '../write/family.js';
import { KEY_TTL_MS, type TaskWriter } from '../write/task-writer.js';
import { wholeMs } from '../domain/milliseconds.js';

/** A task that continues for longer has the index of its accounts kept; until then the time to live from its registration is enough. */
const KEEP_AFTER_MS = 12 * 3_600_000;

/**
 * A task that waits for others is looked at so often: their ends may have been lost with what a store has lost. An ended task is kept for a
 * minute at least.
 */
const CHILDREN_LOOK_MS = 30_000;

/** Dependencies of a look. */
export interface LookDeps {
  readonly store: TaskStore;
  readonly writer: TaskWriter;
  /** How long a task that continues may do so without the next look, milliseconds. */
  readonly periodMs: number;
}

/** A task that must be looked at. */
export interface SeenTask {
  readonly view: TaskView;
  readonly state: TaskState;
}

/** The task that a view stands for. @throws TypeError when the view is not valid */
export function seen(view: TaskView): SeenTask {
  return { view, state: restore(view) };
}

/** The job that the task has now unless it was lost; nothing when it needs none. */
export function jobToLookFor({ view: { taskId }, state }: SeenTask, now: number): SoughtJob | undefined {
  if (state.outcome !== undefined) return undefined;
  if (state.pass.phase === 'running') return { taskId, pass: state.passNumber, mayBeDelayed: true };
  const due = nextPass(state);
  return due !== undefined && due.dueAt <= now ? { taskId, pass: due.pass, mayBeDelayed: due.dueAt > 0 } : undefined;
}

/**
 * Lets the task continue.
 *
 * @param lostJob the job of `jobToLookFor` if the queue does not have it
 * @returns the verdict on its entry; nothing when another look soon decides that
 * @throws the errors of the store and the queue
 */
export async function look(
  { view, state }: SeenTask,
  lostJob: SoughtJob | undefined,
  { store, writer, periodMs }: LookDeps,
): Promise<AgendaVerdict | undefined> {
  const { taskId, owner, idempotencyKey, createdAt } = view;
  if (state.outcome !== undefined) {
    await writer.retire(view);
    return 'remove';
  }
  const { now } = writer;
  const deadline = nextDeadline(state);
  if (deadline !== undefined && deadline.at <= now) {
    await expire(writer, taskId, view);
    writer.observer?.onRepair('deadline');
    return undefined;
  }
  if (idempotencyKey !== undefined) await store.index.keepKey(owner, idempotencyKey, taskId, wholeMs(KEY_TTL_MS));
  if (now - createdAt > KEEP_AFTER_MS) await store.index.keep(accountsOf(view));
  if (lostJob !== undefined) {
    const job = writer.jobOf(view, lostJob.pass);
    const isRunning = state.pass.phase === 'running';
    await (isRunning ? store.queue.recover(job) : store.queue.add(job, wholeMs(0)));
    writer.observer?.onRepair(isRunning ? 'pass' : 'job');
  }
  const next = nextLook(state, now, { dueMs: periodMs, runningMs: periodMs });
  if (!hasFamily(view)) return next;
  const isPassedOn = await writer.family.look(view);
  if (!isPassedOn) return wholeMs(Math.min(next, periodMs));
  return view.children === undefined ? next : wholeMs(Math.min(next, Math.max(periodMs, CHILDREN_LOOK_MS)));
}

/** Ends the task if one of its deadlines has passed. @param known its view if it was read just now */
export async function expire(writer: TaskWriter, taskId: TaskId, known?: TaskView): Promise<void> {
  try {
    await writer.write(taskId, { type: 'ExpireTask', at: writer.now }, known);
  } catch (error) {
    if (!(error instanceof CommandRejected)) throw error; // Otherwise the task is gone or has ended.
  }
}
