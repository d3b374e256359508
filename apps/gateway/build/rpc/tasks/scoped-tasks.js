import { TaskError } from '@longhaul/tasks';
import { holdsScopes } from '../scopes.js';
/** What a task asks of tokens: what its tool asked for when it was called, and what it asks for here, if it is known here. */
function scopesOf(features, { tool, scopes }) {
    const here = features.tool(tool)?.scopes ?? [];
    return scopes === undefined ? here : [...new Set([...scopes, ...here])];
}
/** For refusals that name all that an operation needs. Tasks that are not there need nothing. */
export function createScopesOfTasks(tasks, features) {
    return async (taskIds, owner) => {
        const found = await Promise.all(taskIds.map((taskId) => ifThere(() => tasks.getOfCall(taskId, { owner }))));
        return found.flatMap((snapshot) => (snapshot === undefined ? [] : scopesOf(features, snapshot.view)));
    };
}
/** What was read of a task; nothing when the task is not there. */
export async function ifThere(read) {
    try {
        return await read();
    }
    catch (error) {
        if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND')
            return undefined;
        throw error;
    }
}
/** @param features what is asked of their tools is asked of the tasks */
export function scopedTasks(tasks, features, require) {
    const checked = (found, { auth, neededScopes = [] }) => {
        if (auth?.scopes === undefined)
            return found;
        const ofTool = scopesOf(features, 'view' in found ? found.view : found);
        if (!holdsScopes(auth, ofTool))
            require(auth, [...new Set([...neededScopes, ...ofTool])]);
        return found;
    };
    /** A task that is not there is the method's to say. */
    const requireTask = async (taskId, caller) => {
        if (caller.auth?.scopes === undefined)
            return;
        const snapshot = await ifThere(() => tasks.getOfCall(taskId, caller));
        if (snapshot !== undefined)
            checked(snapshot, caller);
    };
    return {
        ...tasks,
        get: async (taskId, caller) => checked(await tasks.get(taskId, caller), caller),
        getWithOutcome: async (taskId, caller) => checked(await tasks.getWithOutcome(taskId, caller), caller),
        getOfCall: async (taskId, caller) => checked(await tasks.getOfCall(taskId, caller), caller),
        async list(caller, cursor) {
            const { tasks: found, ...page } = await tasks.list(caller, cursor);
            return { ...page, tasks: found.filter((view) => holdsScopes(caller.auth, scopesOf(features, view))) };
        },
        async cancel(taskId, caller, reason) {
            await requireTask(taskId, caller);
            return tasks.cancel(taskId, caller, reason);
        },
        async provideInput(taskId, key, answer, caller, via) {
            await requireTask(taskId, caller);
            return tasks.provideInput(taskId, key, answer, caller, via);
        },
    };
}
//# sourceMappingURL=scoped-tasks.js.map