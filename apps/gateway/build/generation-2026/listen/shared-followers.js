/**
 * Tasks that streams of this process listen to. However many streams name a task, one loop follows it for all of them:
 * it subscribes to the task once, and reads it once for each change.
 */
import { TaskError } from '@longhaul/tasks';
import { setTimeout as pause } from 'node:timers/promises';
/** How long a task that could not be read is left alone. */
const RETRY_MS = 1_000;
export class SharedFollowers {
    deps;
    #byTask = new Map();
    constructor(deps) {
        this.deps = deps;
    }
    /**
     * Follows a task until it has ended.
     *
     * @param from the task as it was read just now
     * @returns what stops it
     */
    follow(from, listener) {
        const present = this.#byTask.get(from.taskId);
        const following = present ?? this.#begin(from);
        following.listeners.add(listener);
        if (present !== undefined) {
            const newest = present.latest.view.version >= from.version ? present.latest : { view: from };
            // How a task ended is part of its end, which the loop is about to read.
            if (newest.view.endedAt === undefined || newest.outcome !== undefined)
                listener(newest);
        }
        return () => {
            following.listeners.delete(listener);
            if (following.listeners.size === 0)
                this.#end(from.taskId, following);
        };
    }
    #begin(from) {
        const following = { listeners: new Set(), end: new AbortController(), latest: { view: from } };
        this.#byTask.set(from.taskId, following);
        void this.#run(following).finally(() => this.#end(from.taskId, following));
        return following;
    }
    async #run(following) {
        const { signal } = following.end;
        while (!signal.aborted) {
            try {
                for await (const snapshot of this.deps.tasks.follow(following.latest, signal)) {
                    following.latest = snapshot;
                    for (const listener of following.listeners)
                        listener(snapshot);
                }
                return;
            }
            catch (error) {
                if (signal.aborted)
                    return;
                this.deps.logger.warn({ err: error }, 'task not followed');
                if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND')
                    return;
                await pause(RETRY_MS, undefined, { signal }).catch(() => undefined);
            }
        }
    }
    #end(taskId, following) {
        following.end.abort();
        if (this.#byTask.get(taskId) === following)
            this.#byTask.delete(taskId);
    }
}
//# sourceMappingURL=shared-followers.js.map