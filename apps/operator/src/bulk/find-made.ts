/** Finds the tasks that a bulk retry has made: each names the operation as its author, so that no list of them is kept. */
import { type OperatorService, type RowStatus, statusOf, TaskError, type TaskIndexPosition } from '@longhaul/tasks';
import { authorOf } from './bulk-act.js';
import type { BulkRecord, MadeTask } from './bulk-record.js';

/** A new task, as it is now. */
export interface FoundTask extends MadeTask {
  readonly status: RowStatus;
}

/** A page of pairs. It may have fewer than asked for, or none, though there are more: then `next` says where to continue. */
export interface MadePage {
  readonly made: readonly FoundTask[];
  readonly next?: TaskIndexPosition;
}

export async function findMade(
  tasks: Pick<OperatorService, 'list' | 'get'>,
  record: BulkRecord,
  limit: number,
  after: TaskIndexPosition | undefined,
): Promise<MadePage> {
  const { tasks: origins, next } = await tasks.list({ filter: record.filter, limit, after });
  const by = authorOf(record);
  const made = await Promise.all(
    origins.flatMap(({ row: { taskId }, retriedAs }) => (retriedAs === undefined ? [] : [isBy(tasks, retriedAs, by, taskId)])),
  );
  return { made: made.filter((each) => each !== undefined), ...(next !== undefined && { next }) };
}

async function isBy(tasks: Pick<OperatorService, 'get'>, retriedAs: string, by: string, taskId: string): Promise<FoundTask | undefined> {
  try {
    const { view } = await tasks.get(retriedAs);
    return view.forkedFrom?.by === by ? { taskId, retriedAs, status: statusOf(view) } : undefined;
  } catch (error) {
    if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND') return undefined;
    throw error;
  }
}
