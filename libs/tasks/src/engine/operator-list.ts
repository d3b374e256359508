/** Lists tasks for operators: the index finds them, and their views have the details. */
import { rowOf } from '../domain/projections/task-row.js';
import { fits } from '../ports/operator-index.js';
import type { TaskStore } from '../ports/task-store.js';
import type { ListedTask, OperatorPage, OperatorQuery, OperatorSearch, SearchStep } from './operator-service.js';
import { correctRows, type RowRepairStore } from './row-repair.js';
import { indexFilter } from './search-keys.js';
import { searchText, type TextMatch, textSteps } from './search-text.js';
import { trialWaits } from './trial-waits.js';

/** What a list is read from. */
type ListStore = RowRepairStore & Pick<TaskStore, 'workers' | 'codec'>;

/** Reads a page of tasks that fit the filter by their views and contain the text; rows that differ from their views are corrected. */
export async function listForOperators(store: ListStore, { filter: wanted, text, limit, after }: OperatorQuery): Promise<OperatorPage> {
  const filter = await indexFilter(store.codec, wanted);
  if (text !== undefined) {
    const { matches, looked, unreadable, next } = await searchText(store, { text, filter, limit, after });
    const tasks = await withNotes(store, matches.map(listedMatch));
    return { tasks, searched: { looked, unreadable }, ...(next !== undefined && { next }) };
  }
  const { rows, next } = await store.operators.page(filter, limit, after);
  const views = await correctRows(store, rows);
  const listed = views.map((view) => ({ row: rowOf(view), view })).filter(({ row }) => fits(row, filter));
  const tasks = await withNotes(store, listed);
  return next === undefined ? { tasks } : { tasks, next };
}

/** Reads all tasks that fit the filter, and gives those that contain the text, as it finds them. */
export async function* searchForOperators(store: ListStore, { filter, text, after }: OperatorSearch): AsyncGenerator<SearchStep> {
  for await (const { matches, looked, unreadable, next } of textSteps(store, {
    text,
    filter: await indexFilter(store.codec, filter),
    after,
  })) {
    const tasks = matches.length === 0 ? [] : await withNotes(store, matches.map(listedMatch));
    yield { tasks, searched: { looked, unreadable }, ...(next !== undefined && { next }) };
  }
}

function listedMatch({ view, place, excerpt }: TextMatch): ListedTask {
  return { row: rowOf(view), view, match: { place, excerpt } };
}

/** The same tasks, with those that were made of them again, and with what their workers say of them. */
async function withNotes({ operators, workers }: ListStore, tasks: readonly ListedTask[]): Promise<readonly ListedTask[]> {
  const [retries, waits] = await Promise.all([
    operators.retries(tasks.map(({ row }) => row.taskId)),
    trialWaits(
      workers,
      tasks.map(({ view }) => view),
    ),
  ]);
  return tasks.map((task) => {
    const retriedAs = retries.get(task.row.taskId);
    const waitsForTrialSince = waits.get(task.row.taskId);
    return { ...task, ...(retriedAs !== undefined && { retriedAs }), ...(waitsForTrialSince !== undefined && { waitsForTrialSince }) };
  });
}
