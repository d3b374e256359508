/** The tasks of callers, by who their tokens say they are. */
import { omitUndefined } from '@longhaul/mcp-features';
import { TaskError } from '@longhaul/tasks';
import { isOf, ownersOf } from './owners-of-principal.js';
const PAGE = 200;
/** Owners that are named at most: an issuer may have any number. */
export const MAX_OWNERS = 1_000;
const UNFINISHED = ['working', 'input_required'];
/** Counts the tasks of callers. */
export async function heldTasks(tasks, principal) {
    const byStatus = { working: 0, input_required: 0, completed: 0, failed: 0, cancelled: 0 };
    const owners = new Set();
    for await (const { status, owner } of tasksOf(tasks, principal, {})) {
        byStatus[status] += 1;
        if (owners.size < MAX_OWNERS)
            owners.add(owner);
    }
    return { byStatus, owners: [...owners] };
}
/**
 * Cancels all unfinished tasks of callers. One that cannot be cancelled keeps no other from it.
 *
 * @throws TaskError `STORE_UNAVAILABLE`
 */
export async function cancelTasksOf(tasks, principal, { createdBefore, ...act }) {
    let cancelled = 0;
    const failed = [];
    for await (const { taskId } of tasksOf(tasks, principal, omitUndefined({ status: UNFINISHED, createdBefore }))) {
        try {
            await tasks.cancel(taskId, act);
            cancelled += 1;
        }
        catch (error) {
            if (hasCode(error, 'STORE_UNAVAILABLE'))
                throw error;
            // Others have come to an end by themselves.
            if (!hasCode(error, 'TASK_ENDED') && !hasCode(error, 'TASK_NOT_FOUND'))
                failed.push({ taskId, error });
        }
    }
    return { cancelled, failed };
}
function hasCode(error, code) {
    return error instanceof TaskError && error.code === code;
}
/** Where the owners are known, those are looked for; a tenant or an issuer is looked for in all tasks. */
async function* tasksOf(tasks, principal, filter) {
    for (const owner of ownersOf(principal) ?? [undefined])
        for (let after;;) {
            const page = await tasks.list({ filter: { ...filter, ...(owner !== undefined && { owner }) }, limit: PAGE, after });
            for (const { row, view } of page.tasks)
                if (isOf(view.owner, principal))
                    yield { taskId: row.taskId, owner: view.owner, status: row.status };
            if (page.next === undefined)
                break;
            after = page.next;
        }
}
//# sourceMappingURL=tasks-of-principal.js.map