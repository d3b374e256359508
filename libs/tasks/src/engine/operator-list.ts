/** Lists tasks for operators: the index finds them, and their views have the details. */
import { rowOf } from '../domain/projections/task-row.js';
import { fits } from '../ports/operator-index.js';
import type { OperatorPage, OperatorQuery } from './operator-service.js';
import { correctRows, type RowRepairStore } from './row-repair.js';
import { searchText } from './search-text.js';

/** Reads a page of tasks that fit the filter by their views and contain the text; rows that differ from their views are corrected. */
export async function listForOperators(store: RowRepairStore, { filter, text, limit, after }: OperatorQuery): Promise<OperatorPage> {
  if (text !== undefined) {
    const { matches, next } = await searchText(store, { text, filter, limit, after });
    const tasks = matches.map(({ view, place, excerpt }) => ({ row: rowOf(view), view, match: { place, excerpt } }));
    return next === undefined ? { tasks } : { tasks, next };
  }
  const { rows, next } = await store.operators.page(filter, limit, after);
  const views = await correctRows(store, rows);
  const tasks = views.map((view) => ({ row: rowOf(view), view })).filter(({ row }) => fits(row, filter));
  return next === undefined ? { tasks } : { tasks, next };
}
