/** Of which task the code is that runs now: what a process died of, where it is known at all. */
import { AsyncLocalStorage, createHook } from 'node:async_hooks';
/** A function of this name is on `globalThis`, where an inspector finds it that has stopped the thread. */
export const CURRENT_TASK = 'longhaul.currentTask';
const current = new AsyncLocalStorage();
Object.defineProperty(globalThis, Symbol.for(CURRENT_TASK), { value: currentTask });
/** Runs the code of a task. */
export function asTask(taskId, work) {
    return current.run(taskId, work);
}
/** Calls `onTask` each time before the code of another task runs than before. Every callback of the process pays for it. */
export function watchTasks(onTask) {
    let last;
    const before = () => {
        const taskId = currentTask();
        if (taskId === undefined || taskId === last)
            return;
        last = taskId;
        onTask(taskId);
    };
    createHook({ before }).enable();
}
/** The task whose code runs now; nothing outside of tasks. */
function currentTask() {
    return current.getStore();
}
//# sourceMappingURL=current-task.js.map