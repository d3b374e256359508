/** Finds the tasks that a bulk retry has made: each names the operation as its author, so that no list of them is kept. */
import { type OperatorService, TaskError, type TaskIndexPosition } from '@longhaul/tasks';
import { authorOf } from './bulk-act.js';
import type { BulkRecord, MadeTask } from './bulk-record.js';

/** A page of pairs. It may have fewer than asked for, or none, though there are more: then `next` says where to continue. */
export interface MadePage {
  readonly made: readonly MadeTask[];
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

async function isBy(tasks: Pick<OperatorService, 'get'>, retriedAs: string, by: string, taskId: string): Promise<MadeTask | undefined> {
  try {
    const { view } = await tasks.get(retriedAs);
    return view.forkedFrom?.by === by ? { taskId, retriedAs } : undefined;
  } catch (error) {
    if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND') return undefined;
    throw error;
  }
}
