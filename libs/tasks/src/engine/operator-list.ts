/** Lists of operators: the index finds tasks, and their views say what they are. */
import type { TaskBackend } from '../ports/backend.js';
import type { Clock } from '../ports/clock.js';
import { rowOf, type TaskRow } from '../domain/projections/task-row.js';
import type { TaskFilter } from '../ports/operator-index.js';
import { ORPHAN_AGE_MS } from './list-tasks.js';
import type { ListedTask, OperatorPage, OperatorQuery } from './operator-service.js';

/** What a list works with. */
export interface OperatorListDeps {
  readonly backend: Pick<TaskBackend, 'events' | 'operators'>;
  readonly clock: Clock;
  /** Called with failures to put entries of the index right, which a later list does. */
  readonly onError: (error: unknown) => void;
}

/** A page of tasks whose views fit the filter. */
export async function listForOperators(deps: OperatorListDeps, { filter, limit, after }: Omit<OperatorQuery, 'text'>): Promise<OperatorPage> {
  const { events, operators } = deps.backend;
  const { rows, next } = await operators.page(filter, limit, after);
  const views = await events.views(rows.map(({ taskId }) => taskId));
  const gone: TaskRow[] = [];
  const wrong: TaskRow[] = [];
  const tasks: ListedTask[] = [];
  for (const [at, row] of rows.entries()) {
    const view = views[at];
    if (view === undefined) {
      // One that is being created has its row first on some stores.
      if (row.createdAt < deps.clock() - ORPHAN_AGE_MS) gone.push(row);
      continue;
    }
    const present = rowOf(view);
    if (!saysTheSame(row, present)) wrong.push(present);
    if (fits(present, filter)) tasks.push({ row: present, view });
  }
  if (gone.length > 0) await operators.drop(gone.map(({ taskId }) => taskId)).catch(deps.onError);
  if (wrong.length > 0) await operators.put(wrong).catch(deps.onError);
  return next === undefined ? { tasks } : { tasks, next };
}

function saysTheSame(row: TaskRow, present: TaskRow): boolean {
  return row.status === present.status && row.reason === present.reason && row.version === present.version && row.tool === present.tool;
}

/** What of a filter can change, or be wrong in a row. */
function fits({ status, tool, owner, reason, version }: TaskRow, filter: TaskFilter): boolean {
  return (
    (filter.status?.includes(status) ?? true) &&
    (filter.tool ?? tool) === tool &&
    (filter.owner ?? owner) === owner &&
    (filter.reason ?? reason) === reason &&
    (filter.version ?? version) === version
  );
}
