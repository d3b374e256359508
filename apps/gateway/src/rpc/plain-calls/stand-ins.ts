/**
 * Defines ordinary tools that stand in for the methods of tasks, for clients that do not follow tasks. They take the id of the task that a
 * call was answered with, and use the same service as those methods.
 */
import { defineTool, type InlineTool, ProtocolError } from '@longhaul/mcp-features';
import { FIELD_LIMITS, type Generation, type PendingInput, TaskError, type TaskSnapshot, type TaskView } from '@longhaul/tasks';
import type { CallToolResult, Result } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Owners } from '../features/owners.js';
import type { Call } from '../method.js';
import type { MethodName } from '../methods.js';
import { shownTask } from '../task-app/shown-task.js';
import { READS_RESULT, type ScopedTasks } from '../tasks/scoped-tasks.js';
import { ANSWER_TOOL, answerByModel, answerTool } from './answer-tool.js';

/** Waits for the task as a plain call does, for as long. */
export type WaitForTask = (snapshot: TaskSnapshot) => Promise<Result>;

/** The parts that the tools use. */
export interface StandInDeps {
  readonly tasks: ScopedTasks;
  readonly owners: Pick<Owners, 'idOf'>;
}

/** The tools, as a list shows them. */
export interface StandIns {
  readonly listings: readonly InlineTool['listing'][];
  has(name: string): boolean;
  call(name: string, args: unknown, call: Call, serving: Serving): Promise<Result>;
}

/** What a call of a stand-in needs of its protocol version and its client. */
export interface Serving {
  readonly wait: WaitForTask;
  /** Questions in words, for this client. */
  readonly inWords: (view: TaskView, inputs: readonly PendingInput[]) => readonly string[];
}

interface StandIn {
  /** The method that it stands in for in each protocol version: it needs the scopes of that. */
  readonly standsFor: Readonly<Record<Generation, MethodName>>;
  readonly run: (args: unknown, call: Call, serving: Serving) => Promise<Result>;
}

const both = (method: MethodName): StandIn['standsFor'] => ({ '2025-11-25': method, '2026-07-28': method });

export function standIns(deps: StandInDeps): StandIns {
  const tools: Readonly<Record<string, StandIn>> = {
    task_result: {
      standsFor: READS_RESULT,
      run: (args, call, { wait }) => withTask(deps, args, call, (snapshot) => resultOf(wait(snapshot))),
    },
    task_status: {
      standsFor: both('tasks/get'),
      run: (args, call) => withTask(deps, args, call, (snapshot) => Promise.resolve(shown(shownTask(snapshot)))),
    },
    task_cancel: {
      standsFor: both('tasks/cancel'),
      run: (args, call) => withTask(deps, args, call, ({ view }) => cancel(deps.tasks, view.taskId, call)),
    },
    task_list: {
      standsFor: { '2025-11-25': 'tasks/list', '2026-07-28': 'tasks/get' },
      run: (args, call) => list(deps, args, call),
    },
    [ANSWER_TOOL]: {
      standsFor: both('tasks/update'),
      run: (args, call, { inWords }) => answerByModel({ tasks: deps.tasks, inWords }, args, call),
    },
  };
  return {
    listings: TOOLS.map(({ listing }) => listing),
    has: (name) => Object.hasOwn(tools, name),
    async call(name, args, call, serving) {
      const standIn = tools[name];
      if (standIn === undefined) throw new RangeError(`There is no stand-in ${name}.`);
      deps.tasks.requireMethod(standIn.standsFor[call.requester.generation], call.caller);
      return standIn.run(args, call, serving);
    },
  };
}

const taskId = z.string().max(FIELD_LIMITS.idBytes);
const OfTask = z.object({ taskId: taskId.describe('The id of the task, as an earlier call was answered with it') });
const OfList = z.object({ cursor: z.string().optional().describe('The nextCursor of the page before') });

const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
const notHere = (): never => {
  throw new Error('This tool is called with its request.');
};

const TOOLS = [
  defineTool({
    name: 'task_result',
    title: 'Result of a task',
    description:
      'Waits for the result of a task that an earlier tool call has started, and returns it. If the task is still running after a while, this says so: call it again.',
    input: OfTask,
    annotations: readOnly,
    run: notHere,
  }),
  defineTool({
    name: 'task_status',
    title: 'Status of a task',
    description: 'Shows how a task that an earlier tool call has started stands, without waiting.',
    input: OfTask,
    annotations: readOnly,
    run: notHere,
  }),
  defineTool({
    name: 'task_cancel',
    title: 'Cancel a task',
    description: 'Ends a task that an earlier tool call has started. Its work is lost: do this only if the user no longer wants it.',
    input: OfTask,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: notHere,
  }),
  defineTool({
    name: 'task_list',
    title: 'Tasks',
    description:
      'Lists the running and recent tasks of this user, newest first, also those of earlier conversations. Look here before you start long work that may be running already.',
    input: OfList,
    annotations: readOnly,
    run: notHere,
  }),
  answerTool,
];

/** Reads the task that the arguments name, also one that a plain call waits for: that call may have lost its connection. */
async function withTask(
  { tasks }: StandInDeps,
  args: unknown,
  call: Call,
  work: (snapshot: TaskSnapshot) => Promise<Result>,
): Promise<Result> {
  const parsed = OfTask.safeParse(args ?? {});
  if (!parsed.success) return problem('taskId: expected the id of a task');
  const { taskId } = parsed.data;
  try {
    const snapshot = await tasks.getOfCall(taskId, call.caller);
    call.operation.about(snapshot.view);
    return await work(snapshot);
  } catch (error) {
    if (error instanceof TaskError && error.code === 'TASK_NOT_FOUND') return problem(`There is no task ${taskId}, or it has expired.`);
    throw error;
  }
}

/** The end of a task without a result is an error of the tool here: a model reads it better than an error of the protocol. */
async function resultOf(waiting: Promise<Result>): Promise<Result> {
  try {
    return await waiting;
  } catch (error) {
    if (error instanceof ProtocolError) return problem(`The task has ended without a result: ${error.message}`);
    throw error;
  }
}

async function cancel(tasks: ScopedTasks, taskId: string, call: Call): Promise<CallToolResult> {
  try {
    await tasks.cancel(taskId, call.caller, 'The task was cancelled by request.');
    return { content: [{ type: 'text', text: `Task ${taskId} is cancelled.` }] };
  } catch (error) {
    if (!(error instanceof TaskError) || error.code !== 'TASK_ENDED') throw error;
    return { content: [{ type: 'text', text: `Task ${taskId} had ended before.` }] };
  }
}

async function list({ tasks, owners }: StandInDeps, args: unknown, { caller }: Call): Promise<CallToolResult> {
  const parsed = OfList.safeParse(args ?? {});
  if (!parsed.success) return problem('cursor: expected the nextCursor of a page before');
  // Anonymous callers share an owner, and must not see each other's tasks.
  if (owners.idOf(caller.owner) === undefined)
    return problem('Which tasks are yours is not known here, because callers need no token. A task is found by its id.');
  const { cursor } = parsed.data;
  try {
    const page = await tasks.list(caller, { ...(cursor !== undefined && { cursor }), ofCalls: true });
    const { tasks: found, ...next } = page;
    return shown({ tasks: found.map((view) => shownTask({ view })), ...next });
  } catch (error) {
    if (error instanceof TaskError && error.code === 'INVALID_CURSOR') return problem('cursor: expected the nextCursor of a page before');
    throw error;
  }
}

function shown(value: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
}

function problem(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}
