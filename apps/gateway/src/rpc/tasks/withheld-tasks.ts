/** Hides tasks from before their owner was revoked, even from the owner's newer tokens. */
import type { Withholding } from '../../sessions/sessions.js';
import { TaskError, type TaskSnapshot, type TaskView } from '@longhaul/tasks';
import type { ScopedTasks } from './scoped-tasks.js';

/** @returns the service itself if callers cannot be revoked */
export function withheldTasks(tasks: ScopedTasks, revoked: Withholding | undefined): ScopedTasks {
  if (revoked === undefined) return tasks;
  const isWithheld = ({ owner, createdAt }: TaskView): boolean => {
    const until = revoked.withheldUntil(owner);
    return until !== undefined && createdAt <= until;
  };
  const given = <Found extends TaskView | TaskSnapshot>(found: Found): Found => {
    if (isWithheld('view' in found ? found.view : found)) throw new TaskError('TASK_NOT_FOUND');
    return found;
  };
  /** Methods that change a task do not read it first, unless its owner was revoked. */
  const requireGiven = async (taskId: string, caller: Parameters<ScopedTasks['getOfCall']>[1]): Promise<void> => {
    if (revoked.withheldUntil(caller.owner) !== undefined) given(await tasks.getOfCall(taskId, caller));
  };
  return {
    ...tasks,
    async create(task) {
      const view = await tasks.create(task);
      if (isWithheld(view)) throw new TaskError('IDEMPOTENCY_KEY_SPENT');
      return view;
    },
    get: async (taskId, caller, method) => given(await tasks.get(taskId, caller, method)),
    getWithOutcome: async (taskId, caller) => given(await tasks.getWithOutcome(taskId, caller)),
    getOfCall: async (taskId, caller) => given(await tasks.getOfCall(taskId, caller)),
    async list(caller, options) {
      const { tasks: found, ...page } = await tasks.list(caller, options);
      return { ...page, tasks: found.filter((view) => !isWithheld(view)) };
    },
    async cancel(taskId, caller, reason) {
      await requireGiven(taskId, caller);
      return tasks.cancel(taskId, caller, reason);
    },
    async provideInput(taskId, key, answer, caller, door) {
      const isGiven = await requireGiven(taskId, caller).then(
        () => true,
        (error: unknown) => {
          if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND') return false;
          throw error;
        },
      );
      return isGiven && tasks.provideInput(taskId, key, answer, caller, door);
    },
  };
}
