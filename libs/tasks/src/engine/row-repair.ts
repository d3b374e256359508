/**
 * Keeps the rows of operators true. A row is written with the append that changes it, or after it: so on a cluster it may be lost. When a
 * store loses acknowledged writes, row and task may lose different parts. Therefore each look of the sweep writes the row of its task, the
 * walk over all tasks writes the missing rows, and a walk over all rows compares them with their tasks. Each of these does a bounded part
 * at a time. A store writes nothing when the row is the same.
 */
import { rowOf, type TaskRow } from '../domain/projections/task-row.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskView } from '../domain/projections/task-view.js';
import type { TaskStore } from '../ports/task-store.js';
import type { Clock } from '../ports/clock.js';
import { isView, readableViews, type ReadView } from './readable-views.js';
import type { TaskIndexPosition } from '../ports/task-index.js';

/** How many rows are compared together, and how long this process rests after that. */
const ROWS_AT_ONCE = 200;
const REST_MS = 2_000;
/** Rest after the last of all rows. */
const WALK_EVERY_MS = 600_000;

/** Dependencies of the repair. */
export type RowRepairStore = Pick<TaskStore, 'operators' | 'events'>;

/** Does one process's part of the repair. */
export class RowRepair {
  #after: TaskIndexPosition | undefined;
  #goOnAt = 0;

  constructor(
    private readonly store: RowRepairStore,
    private readonly clock: Clock,
  ) {}

  /** Writes the rows of tasks that were just read. */
  async write(views: readonly TaskView[]): Promise<void> {
    if (views.length > 0) await this.store.operators.put(views.map(rowOf));
  }

  /** Writes the missing rows of these tasks. */
  async writeMissing(taskIds: readonly TaskId[]): Promise<void> {
    const { operators, events } = this.store;
    const missing = await operators.missing(taskIds);
    if (missing.length === 0) return;
    const views = await readableViews(events, missing, 'operator');
    await this.write(views.filter(isView));
  }

  /** Compares some rows with their tasks, if it is time to. */
  async goOn(): Promise<void> {
    const now = this.clock();
    if (now < this.#goOnAt) return;
    const { rows, next } = await this.store.operators.page({}, ROWS_AT_ONCE, this.#after);
    this.#after = next;
    this.#goOnAt = now + (next === undefined ? WALK_EVERY_MS : REST_MS);
    await correctRows(this.store, rows);
  }
}

/**
 * Compares rows with their tasks: rows that differ are written again, and rows of tasks that are gone are dropped.
 *
 * @param rows read before this call
 * @returns the views of the tasks that are there, in the order of the rows
 */
export async function correctRows({ operators, events }: RowRepairStore, rows: readonly TaskRow[]): Promise<readonly TaskView[]> {
  if (rows.length === 0) return [];
  const views = await readableViews(
    events,
    rows.map(({ taskId }) => taskId),
    'operator',
  );
  const isOutdated = rows.map((row, at) => isAheadOf(row, views[at]));
  const outdated = rows.filter((_, at) => isOutdated[at]).map(({ taskId }) => taskId);
  if (outdated.length > 0) await operators.drop(outdated);
  const present = views.filter(isView);
  const rowByTask = new Map(rows.map((row) => [row.taskId, row]));
  const changed = present.map(rowOf).filter((row) => !says(rowByTask.get(row.taskId), row));
  if (changed.length > 0) await operators.put(changed);
  return present;
}

/** A task that was read after its row has at least the row's version, unless it is gone or the store has lost acknowledged writes. */
function isAheadOf({ viewVersion }: TaskRow, view: ReadView): boolean {
  return view === undefined || (isView(view) && view.version < viewVersion);
}

const SAID = ['createdAt', 'endedAt', 'status', 'tool', 'owner', 'reason', 'version'] as const;

/** Whether a row says the same as another one of the same task. It may stand for an earlier version. */
function says(row: TaskRow | undefined, other: TaskRow): boolean {
  if (row === undefined || row.viewVersion > other.viewVersion || row.searchKeys?.join() !== other.searchKeys?.join()) return false;
  return SAID.every((name) => row[name] === other[name]);
}
