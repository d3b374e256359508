import type { TaskService } from '@longhaul/tasks';
import { taskObject } from '../generation-2025/task-object.js';
import type { Method } from './method.js';
import { taskIdOf } from './task-id-param.js';

/** `tasks/get` */
export function getTask(tasks: TaskService): Method {
  return {
    name: 'tasks/get',
    kind: 'reads',
    handle: async ({ params, caller }) => taskObject(await tasks.get(taskIdOf(params), caller)),
  };
}
