/** Lists of operators: the index finds tasks, and their views say what they are. */
import { rowOf } from '../domain/projections/task-row.js';
import { fits } from '../ports/row-filter.js';
import { correctRows } from './row-repair.js';
import { searchText } from './search-text.js';
/** A page of tasks whose views fit the filter, and which have the text; rows that say something else are put right. */
export async function listForOperators(backend, { filter, text, limit, after }) {
    if (text !== undefined) {
        const { matches, next } = await searchText(backend, { text, filter, limit, after });
        const tasks = matches.map(({ view, place, excerpt }) => ({ row: rowOf(view), view, match: { place, excerpt } }));
        return next === undefined ? { tasks } : { tasks, next };
    }
    const { rows, next } = await backend.operators.page(filter, limit, after);
    const views = await correctRows(backend, rows);
    const tasks = views.map((view) => ({ row: rowOf(view), view })).filter(({ row }) => fits(row, filter));
    return next === undefined ? { tasks } : { tasks, next };
}
//# sourceMappingURL=operator-list.js.map