/** Knows which task the running code belongs to, so that the cause of a process' death can be named. */
import { AsyncLocalStorage, createHook } from 'node:async_hooks';

/** The name of a function on `globalThis` that an inspector calls when it has stopped the thread. */
export const CURRENT_TASK = 'longhaul.currentTask';

const current = new AsyncLocalStorage<string>();

Object.defineProperty(globalThis, Symbol.for(CURRENT_TASK), { value: currentTask });

/** Runs the code of a task. */
export function asTask<T>(taskId: string, work: () => T): T {
  return current.run(taskId, work);
}

/** Calls `onTask` each time before the code of a different task starts to run. Every callback of the process becomes slower by it. */
export function watchTasks(onTask: (taskId: string) => void): void {
  let last: string | undefined;
  const before = (): void => {
    const taskId = currentTask();
    if (taskId === undefined || taskId === last) return;
    last = taskId;
    onTask(taskId);
  };
  createHook({ before }).enable();
}

/** The task that the running code belongs to; nothing outside of tasks. */
function currentTask(): string | undefined {
  return current.getStore();
}
