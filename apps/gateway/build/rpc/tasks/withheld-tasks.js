/** Tasks from before their owner was revoked look as if they were not there, to its newer tokens too. */
import { TaskError } from '@longhaul/tasks';
/** @returns the service itself where nobody can be revoked */
export function withheldTasks(tasks, revoked) {
    if (revoked === undefined)
        return tasks;
    const isWithheld = ({ owner, createdAt }) => {
        const until = revoked.withheldUntil(owner);
        return until !== undefined && createdAt <= until;
    };
    const given = (found) => {
        if (isWithheld('view' in found ? found.view : found))
            throw new TaskError('TASK_NOT_FOUND');
        return found;
    };
    /** What changes a task does not read it first, unless its owner was revoked. */
    const requireGiven = async (taskId, caller) => {
        if (revoked.withheldUntil(caller.owner) !== undefined)
            given(await tasks.getOfCall(taskId, caller));
    };
    return {
        ...tasks,
        async create(task) {
            const view = await tasks.create(task);
            if (isWithheld(view))
                throw new TaskError('IDEMPOTENCY_KEY_SPENT');
            return view;
        },
        get: async (taskId, caller) => given(await tasks.get(taskId, caller)),
        getWithOutcome: async (taskId, caller) => given(await tasks.getWithOutcome(taskId, caller)),
        getOfCall: async (taskId, caller) => given(await tasks.getOfCall(taskId, caller)),
        async list(caller, cursor) {
            const { tasks: found, ...page } = await tasks.list(caller, cursor);
            return { ...page, tasks: found.filter((view) => !isWithheld(view)) };
        },
        async cancel(taskId, caller, reason) {
            await requireGiven(taskId, caller);
            return tasks.cancel(taskId, caller, reason);
        },
        async provideInput(taskId, key, answer, caller, via) {
            const isGiven = await requireGiven(taskId, caller).then(() => true, (error) => {
                if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND')
                    return false;
                throw error;
            });
            return isGiven && tasks.provideInput(taskId, key, answer, caller, via);
        },
    };
}
//# sourceMappingURL=withheld-tasks.js.map