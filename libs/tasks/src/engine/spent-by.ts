import type { TaskView } from '../domain/projections/task-view.js';
import { type Spending, sumOfSpending } from '../domain/spending.js';
import type { TaskIndexPosition } from '../ports/task-index.js';
import type { TaskStore } from '../ports/task-store.js';
import { listForOperators } from './operator-list.js';

/** Tasks of an owner whose spending is summed, the latest ones. */
const MAX_SUMMED = 1_000;
const PAGE = 200;

/** The sum of what the tasks of an owner have spent. What a called task has spent is counted once, also after it ended in vain. */
export async function spentBy(store: TaskStore, owner: string): Promise<Spending> {
  const views = new Map<string, TaskView>();
  let after: TaskIndexPosition | undefined;
  for (let looked = 0; looked < MAX_SUMMED; looked += PAGE) {
    const { tasks, next } = await listForOperators(store, { filter: { owner }, limit: PAGE, after });
    for (const { view } of tasks) views.set(view.taskId, view);
    if (next === undefined) break;
    after = next;
  }
  let sum: Spending = {};
  for (const view of views.values())
    if (view.spent !== undefined && !isInSumOf(view, views.get(view.parent?.taskId ?? ''))) sum = sumOfSpending(sum, view.spent);
  return sum;
}

/** Whether the task that has called it has its amount too: it got that with the end, if it still waited. */
function isInSumOf({ parent: link, endedAt, ending }: TaskView, parent: TaskView | undefined): boolean {
  if (link === undefined || link.bond === 'detached' || parent === undefined || endedAt === undefined) return false;
  const { endedAt: until = Infinity } = parent;
  // Cancelled at the very moment, it was cancelled because its parent had ended.
  return ending?.kind === 'cancelled' ? endedAt < until : endedAt <= until;
}
