/** The tasks of callers, by who their tokens say they are. */
import { omitUndefined } from '@longhaul/mcp-features';
import type { RevokedPrincipal } from '@longhaul/sessions';
import { type OperatorService, TaskError, type TaskFilter, type TaskId, type TaskRow } from '@longhaul/tasks';
import { isOf, ownersOf } from './owners-of-principal.js';

const PAGE = 200;
/** Owners that are named at most: an issuer may have any number. */
export const MAX_OWNERS = 1_000;
const UNFINISHED: NonNullable<TaskFilter['status']> = ['working', 'input_required'];

/** How many tasks there are of each status. */
export type CountsByStatus = Readonly<Record<TaskRow['status'], number>>;

/** What callers have, as far as it is tasks. */
export interface HeldTasks {
  readonly byStatus: CountsByStatus;
  /** The first 1,000 of them. */
  readonly owners: readonly string[];
}

/** Counts the tasks of callers. */
export async function heldTasks(tasks: Pick<OperatorService, 'list'>, principal: RevokedPrincipal): Promise<HeldTasks> {
  const byStatus = { working: 0, input_required: 0, completed: 0, failed: 0, cancelled: 0 };
  const owners = new Set<string>();
  for await (const { status, owner } of tasksOf(tasks, principal, {})) {
    byStatus[status] += 1;
    if (owners.size < MAX_OWNERS) owners.add(owner);
  }
  return { byStatus, owners: [...owners] };
}

/** What became of the unfinished tasks of callers. */
export interface CancelledTasks {
  readonly cancelled: number;
  /** Those that could not be cancelled, such as one that cannot be read. */
  readonly failed: readonly { readonly taskId: TaskId; readonly error: unknown }[];
}

/**
 * Cancels all unfinished tasks of callers. One that cannot be cancelled keeps no other from it.
 *
 * @throws TaskError `STORE_UNAVAILABLE`
 */
export async function cancelTasksOf(
  tasks: Pick<OperatorService, 'list' | 'cancel'>,
  principal: RevokedPrincipal,
  { createdBefore, ...act }: { readonly by: string; readonly reason: string; readonly createdBefore?: number | undefined },
): Promise<CancelledTasks> {
  let cancelled = 0;
  const failed: { taskId: TaskId; error: unknown }[] = [];
  for await (const { taskId } of tasksOf(tasks, principal, omitUndefined({ status: UNFINISHED, createdBefore }))) {
    try {
      await tasks.cancel(taskId, act);
      cancelled += 1;
    } catch (error) {
      if (hasCode(error, 'STORE_UNAVAILABLE')) throw error;
      // Others have come to an end by themselves.
      if (!hasCode(error, 'TASK_ENDED') && !hasCode(error, 'TASK_NOT_FOUND')) failed.push({ taskId, error });
    }
  }
  return { cancelled, failed };
}

function hasCode(error: unknown, code: TaskError['code']): boolean {
  return error instanceof TaskError && error.code === code;
}

type FoundTask = { readonly taskId: TaskId; readonly owner: string; readonly status: TaskRow['status'] };

/** Where the owners are known, those are looked for; a tenant or an issuer is looked for in all tasks. */
async function* tasksOf(tasks: Pick<OperatorService, 'list'>, principal: RevokedPrincipal, filter: TaskFilter): AsyncGenerator<FoundTask> {
  for (const owner of ownersOf(principal) ?? [undefined])
    for (let after: Parameters<OperatorService['list']>[0]['after']; ;) {
      const page = await tasks.list({ filter: { ...filter, ...(owner !== undefined && { owner }) }, limit: PAGE, after });
      for (const { row, view } of page.tasks)
        if (isOf(view.owner, principal)) yield { taskId: row.taskId, owner: view.owner, status: row.status };
      if (page.next === undefined) break;
      after = page.next;
    }
}
