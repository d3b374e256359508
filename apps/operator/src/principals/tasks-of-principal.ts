/** Finds and cancels the tasks of callers, from the identities in their tokens. */
import { omitUndefined } from '@longhaul/mcp-features';
import type { RevokedPrincipal } from '@longhaul/sessions';
import { type OperatorService, TaskError, type OperatorFilter, type TaskId, type TaskRow } from '@longhaul/tasks';
import { isOf, ownersOf } from './owners-of-principal.js';

const PAGE = 200;
/** The most owners that are listed: an issuer may have any number. */
export const MAX_OWNERS = 1_000;
const UNFINISHED: NonNullable<OperatorFilter['status']> = ['working', 'input_required'];

/** The number of tasks for each status. */
export type CountsByStatus = Readonly<Record<TaskRow['status'], number>>;

/** The tasks of callers. */
export interface HeldTasks {
  readonly byStatus: CountsByStatus;
  /** The first 1,000 owners. */
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

/** The result of cancelling the unfinished tasks of callers. */
export interface CancelledTasks {
  readonly cancelled: number;
  /** Tasks that could not be cancelled, such as an unreadable one. */
  readonly failed: readonly { readonly taskId: TaskId; readonly error: unknown }[];
}

/**
 * Cancels all unfinished tasks of callers. A task that cannot be cancelled does not stop the others from being cancelled.
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
      // Other tasks have ended by themselves.
      if (!hasCode(error, 'TASK_ENDED') && !hasCode(error, 'TASK_NOT_FOUND')) failed.push({ taskId, error });
    }
  }
  return { cancelled, failed };
}

function hasCode(error: unknown, code: TaskError['code']): boolean {
  return error instanceof TaskError && error.code === code;
}

type FoundTask = { readonly taskId: TaskId; readonly owner: string; readonly status: TaskRow['status'] };

/** If the owners are known, only their tasks are read; for a tenant or an issuer, all tasks are searched. */
async function* tasksOf(
  tasks: Pick<OperatorService, 'list'>,
  principal: RevokedPrincipal,
  filter: OperatorFilter,
): AsyncGenerator<FoundTask> {
  for (const owner of ownersOf(principal) ?? [undefined])
    for (let after: Parameters<OperatorService['list']>[0]['after']; ;) {
      const page = await tasks.list({ filter: { ...filter, ...(owner !== undefined && { owner }) }, limit: PAGE, after });
      for (const { row, view } of page.tasks)
        if (isOf(view.owner, principal)) yield { taskId: row.taskId, owner: view.owner, status: row.status };
      if (page.next === undefined) break;
      after = page.next;
    }
}
