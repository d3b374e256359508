import { accountsOf, isAddressAccount } from '../write/accounts.js';
import { TaskError } from '../errors.js';
import { OWNERS_PER_ADDRESS } from '../limits.js';
import { ORPHAN_AGE_MS } from './list-tasks.js';
import { isView, readableViews } from './readable-views.js';
/** Tasks that are looked at when the limit is reached, for such whose end was missed. */
const RECONCILED = 1_000;
/**
 * Creates a task that is counted under all of its accounts, or under none.
 *
 * @param create does it, unless that is over a limit of one of the accounts
 * @throws TaskError `TOO_MANY_TASKS`, `TOO_MANY_BYTES`, `TOO_MANY_CREATIONS`
 */
export async function createCounted({ backend, writer, limitsOf }, task, create) {
    const accounts = accountsOf(task).map((owner) => ({ owner, limits: limitsOfAccount(owner, limitsOf) }));
    const reconciled = new Set();
    for (;;) {
        const answer = await create(accounts);
        if (!isRefusal(answer))
            return answer;
        const { owner } = answer.account;
        if (answer.verdict === 'too-many-per-minute' || reconciled.has(owner))
            throw errorOf(answer);
        reconciled.add(owner);
        await reconcile(backend, writer, owner);
    }
}
function isRefusal(answer) {
    return typeof answer === 'object' && answer !== null && 'verdict' in answer;
}
/** The histories of an address may take no more than those of one owner. */
function limitsOfAccount(account, limitsOf) {
    const limits = limitsOf(account);
    if (!isAddressAccount(account))
        return limits;
    const { concurrentTasks, tasksPerMinute, historyBytes } = limits;
    return { concurrentTasks: OWNERS_PER_ADDRESS * concurrentTasks, tasksPerMinute: OWNERS_PER_ADDRESS * tasksPerMinute, historyBytes };
}
function errorOf(answer) {
    const { concurrentTasks, tasksPerMinute, historyBytes } = answer.account.limits;
    switch (answer.verdict) {
        case 'too-many-tasks': {
            const message = `At most ${concurrentTasks} tasks may be unfinished at the same time.`;
            return new TaskError('TOO_MANY_TASKS', message, { limit: concurrentTasks });
        }
        case 'too-many-bytes': {
            const message = `The histories of all your tasks may take at most ${historyBytes} bytes; try again when some have expired.`;
            return new TaskError('TOO_MANY_BYTES', message, { limit: historyBytes });
        }
        case 'too-many-per-minute': {
            const { retryAfterMs } = answer;
            const message = `At most ${tasksPerMinute} tasks may be created in a minute; try again in ${Math.ceil(retryAfterMs / 1000)} s.`;
            return new TaskError('TOO_MANY_CREATIONS', message, { limit: tasksPerMinute, retryAfterMs });
        }
    }
}
/** A process that died between a task's registration and its first event, or its last event and its retirement, left it counted. */
async function reconcile({ index, events }, writer, owner) {
    const counted = await index.unretired(owner, RECONCILED);
    const views = await readableViews(events, counted.map(({ taskId }) => taskId), 'client');
    const gone = counted.filter(({ createdAt }, at) => views[at] === undefined && createdAt < writer.now - ORPHAN_AGE_MS);
    await index.forget(owner, gone.map(({ taskId }) => taskId));
    for (const view of views)
        if (isView(view) && view.endedAt !== undefined)
            await writer.retire(view);
}
//# sourceMappingURL=register-task.js.map