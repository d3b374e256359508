import type { OperatorService, OperatorFilter, TaskId, TaskIndexPosition } from '@longhaul/tasks';

/** The found tasks, and where to continue. */
export interface Found {
  readonly taskIds: readonly TaskId[];
  /** Absent at the end. */
  readonly next?: TaskIndexPosition;
}

/** Tasks that one page of a count reads. */
const COUNTED_AT_ONCE = 1_000;

/** Which tasks are looked for. */
export interface Sought {
  readonly filter: OperatorFilter;
  /** Leaves out tasks that were retried. */
  readonly isFirstRetry: boolean;
}

/** The next tasks that fit a filter: at least one, unless there are no more. */
export async function findTasks(
  tasks: Pick<OperatorService, 'list' | 'retries'>,
  { filter, isFirstRetry }: Sought,
  limit: number,
  after: TaskIndexPosition | undefined,
): Promise<Found> {
  for (let from = after; ;) {
    const page = await tasks.list({ filter, limit, after: from });
    // Imported tasks ran elsewhere: to run one here, an operator retries that task alone.
    const own = page.tasks.filter(({ view }) => view.isImported !== true).map(({ row }) => row.taskId);
    const retried = isFirstRetry ? await tasks.retries(own) : new Map<TaskId, TaskId>();
    const taskIds = own.filter((taskId) => !retried.has(taskId));
    if (taskIds.length > 0 || page.next === undefined) return { taskIds, ...(page.next !== undefined && { next: page.next }) };
    from = page.next;
  }
}

/** How many tasks fit a filter, and the first of them. */
export async function countTasks(
  tasks: Pick<OperatorService, 'list' | 'retries'>,
  sought: Sought,
  sampleSize: number,
): Promise<{ readonly matched: number; readonly sample: readonly TaskId[] }> {
  const sample: TaskId[] = [];
  let matched = 0;
  for (let after: TaskIndexPosition | undefined; ;) {
    const found = await findTasks(tasks, sought, COUNTED_AT_ONCE, after);
    matched += found.taskIds.length;
    sample.push(...found.taskIds.slice(0, sampleSize - sample.length));
    if (found.next === undefined) return { matched, sample };
    after = found.next;
  }
}
