/** The tasks of callers, by who their tokens say they are. */
import { callerOfOwner, ownerOfClient, ownerOfSubject, ownerOfUser, type RevokedPrincipal } from '@longhaul/sessions';
import { type OperatorService, TaskError, type TaskFilter, type TaskId, type TaskRow } from '@longhaul/tasks';

const PAGE = 200;
const UNFINISHED: NonNullable<TaskFilter['status']> = ['working', 'input_required'];

/** How many tasks there are of each status. */
export type CountsByStatus = Readonly<Record<TaskRow['status'], number>>;

/** What callers have, as far as it is tasks. */
export interface HeldTasks {
  readonly byStatus: CountsByStatus;
  readonly owners: readonly string[];
}

/** Counts the tasks of callers. */
export async function heldTasks(tasks: Pick<OperatorService, 'list'>, principal: RevokedPrincipal): Promise<HeldTasks> {
  const byStatus = { working: 0, input_required: 0, completed: 0, failed: 0, cancelled: 0 };
  const owners = new Set<string>();
  for await (const { status, owner } of tasksOf(tasks, principal, {})) {
    byStatus[status] += 1;
    owners.add(owner);
  }
  return { byStatus, owners: [...owners] };
}

/** Cancels all unfinished tasks of callers. @returns how many */
export async function cancelTasksOf(
  tasks: Pick<OperatorService, 'list' | 'cancel'>,
  principal: RevokedPrincipal,
  act: { readonly by: string; readonly reason: string },
): Promise<number> {
  let cancelled = 0;
  for await (const { taskId } of tasksOf(tasks, principal, { status: UNFINISHED })) {
    try {
      await tasks.cancel(taskId, act);
      cancelled += 1;
    } catch (error) {
      // It has come to an end by itself.
      if (!(error instanceof TaskError && (error.code === 'TASK_ENDED' || error.code === 'TASK_NOT_FOUND'))) throw error;
    }
  }
  return cancelled;
}

type FoundTask = { readonly taskId: TaskId; readonly owner: string; readonly status: TaskRow['status'] };

/** Where the owners are known, those are looked for; a tenant or an issuer is looked for in all tasks. */
async function* tasksOf(tasks: Pick<OperatorService, 'list'>, principal: RevokedPrincipal, filter: TaskFilter): AsyncGenerator<FoundTask> {
  for (const owner of ownersOf(principal))
    for (let after: Parameters<OperatorService['list']>[0]['after']; ;) {
      const page = await tasks.list({ filter: { ...filter, ...(owner !== undefined && { owner }) }, limit: PAGE, after });
      for (const { row, view } of page.tasks)
        if (isOf(view.owner, principal)) yield { taskId: row.taskId, owner: view.owner, status: row.status };
      if (page.next === undefined) break;
      after = page.next;
    }
}

function ownersOf(principal: RevokedPrincipal): readonly (string | undefined)[] {
  if ('name' in principal) return [ownerOfUser(principal.name)];
  const { issuer, subject: name, tenant } = principal;
  return name === undefined || tenant === undefined
    ? [undefined]
    : [ownerOfSubject({ issuer, tenant, name }), ownerOfClient({ issuer, tenant, name })];
}

function isOf(owner: string, principal: RevokedPrincipal): boolean {
  const caller = callerOfOwner(owner);
  if (caller === undefined) return false;
  if ('name' in principal) return caller.issuer === undefined && caller.subject === principal.name;
  const { issuer, subject, tenant } = principal;
  return caller.issuer === issuer && (subject ?? caller.subject) === caller.subject && (tenant ?? caller.tenant) === caller.tenant;
}
