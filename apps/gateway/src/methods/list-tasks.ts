import type { TaskService } from '@longhaul/tasks';
import { z } from 'zod';
import { taskObject } from '../generation-2025/task-object.js';
import type { Method } from './method.js';
import { parseParams } from './params.js';

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
