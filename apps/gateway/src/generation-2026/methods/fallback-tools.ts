/** Defines ordinary tools for clients without the tasks extension: they take the id of the task that a call was answered with. */
import { defineTool, type InlineTool } from '@longhaul/mcp-features';
import type { Result } from '@modelcontextprotocol/sdk/types.js';
import { FIELD_LIMITS, TaskError } from '@longhaul/tasks';
import { z } from 'zod';
import type { RequestCall } from '../requests/request-call.js';
import { answerTask, type SyncCallDeps } from './sync-call.js';
import { openRound } from '../multi-round-trip/rounds.js';
import { taskHead } from './task-details.js';
import type { ScopedTasks } from '../../rpc/tasks/scoped-tasks.js';

const input = z.object({ taskId: z.string().max(FIELD_LIMITS.idBytes).describe('The id of the task, as the call was answered with it') });

/** The tools for lists, and for the call of one request. */
export interface FallbackTools {
  readonly names: ReadonlySet<string>;
  readonly listings: readonly InlineTool['listing'][];
  call(name: string, args: unknown, request: RequestCall): Promise<Result>;
}

export function fallbackTools(deps: SyncCallDeps): FallbackTools {
  const { tasks, seal } = deps;
  const listings = tools.map(({ listing }) => listing);
  return {
    names: new Set(tools.map(({ name }) => name)),
    listings,
    async call(name, args, request) {
      const parsed = input.safeParse(args ?? {});
      if (!parsed.success) return problem('taskId: expected the id of a task');
      const { taskId } = parsed.data;
      try {
        if (name === 'task_status') return await status(tasks, taskId, request);
        if (name === 'task_cancel') return await cancel(tasks, taskId, request);
        openRound(request, seal); // A returned state must be genuine, although its content is not needed.
        return await answerTask(deps, undefined, taskId, request);
      } catch (error) {
        if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND') return problem(`There is no task ${taskId}, or it has expired.`);
        throw error;
      }
    },
  };
}

const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
const notHere = (): never => {
  throw new Error('This tool is called with its request.');
};

const tools = [
  defineTool({
    name: 'task_status',
    title: 'Task status',
    description: 'Shows the status of a task that an earlier call has started.',
    input,
    annotations: readOnly,
    run: notHere,
  }),
  defineTool({
    name: 'task_result',
    title: 'Task result',
    description: 'Waits for the result of a task that an earlier call has started. When that takes too long, call it again.',
    input,
    annotations: readOnly,
    run: notHere,
  }),
  defineTool({
    name: 'task_cancel',
    title: 'Cancel task',
    description: 'Ends a task that an earlier call has started.',
    input,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: notHere,
  }),
];

async function status(tasks: ScopedTasks, taskId: string, { call }: RequestCall): Promise<Result> {
  const head = taskHead(await tasks.get(taskId, call.caller), Date.now());
  return { content: [{ type: 'text', text: JSON.stringify(head) }], structuredContent: { ...head } };
}

async function cancel(tasks: ScopedTasks, taskId: string, { call }: RequestCall): Promise<Result> {
  try {
    await tasks.cancel(taskId, call.caller, 'The task was cancelled by request.');
    return { content: [{ type: 'text', text: `Task ${taskId} is cancelled.` }] };
  } catch (error) {
    if (!(error instanceof TaskError) || error.code !== 'TASK_ENDED') throw error;
    return { content: [{ type: 'text', text: `Task ${taskId} had ended before.` }] };
  }
}

function problem(text: string): Result {
  return { isError: true, content: [{ type: 'text', text }] };
}
