import { type Spending, sumOfSpending } from '../domain/spending.js';
import type { TaskIndexPosition } from '../ports/task-index.js';
import type { TaskStore } from '../ports/task-store.js';
import { listForOperators } from './operator-list.js';

/** Tasks of an owner whose spending is summed, the latest ones. */
const MAX_SUMMED = 1_000;
const PAGE = 200;

/** The sum of what the tasks of an owner have spent. What a called task has spent is in the sum of the task that waits for it. */
export async function spentBy(store: TaskStore, owner: string): Promise<Spending> {
  let sum: Spending = {};
  let after: TaskIndexPosition | undefined;
  for (let looked = 0; looked < MAX_SUMMED; looked += PAGE) {
    const { tasks, next } = await listForOperators(store, { filter: { owner }, limit: PAGE, after });
    for (const { view } of tasks)
      if (view.spent !== undefined && (view.parent === undefined || view.parent.bond === 'detached')) sum = sumOfSpending(sum, view.spent);
    if (next === undefined) break;
    after = next;
  }
  return sum;
}
