import type { TaskService } from '@longhaul/tasks';
import { taskObject } from '../task-object.js';
import type { Method } from '../../rpc/method.js';
import { taskIdOf } from '../../rpc/task-id-param.js';

/** `tasks/get` */
export function getTask(tasks: TaskService): Method {
  return {
    name: 'tasks/get',
    kind: 'reads',
    handle: async ({ params, caller }) => taskObject(await tasks.get(taskIdOf(params), caller)),
  };
}
