import type { TaskService } from '@longhaul/tasks';
import { z } from 'zod';
import { taskObject } from '../task-object.js';
import type { Method } from '../../rpc/method.js';
import { parseParams } from '../../rpc/params.js';

const Params = z.object({ cursor: z.string().optional() });

/** `tasks/list`: the caller's tasks, newest first. */
export function listTasks(tasks: TaskService): Method {
  return {
    name: 'tasks/list',
    kind: 'reads',
    async handle({ params, caller }) {
      const { cursor } = parseParams(Params, params);
      const page = await tasks.list(caller, cursor);
      return { tasks: page.tasks.map(taskObject), ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) };
    },
  };
}
