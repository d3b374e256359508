import {
  type DurableTool,
  errorResult,
  type FeatureRegistry,
  invalidArguments,
  ProtocolError,
  resultOrError,
} from '@longhaul/mcp-features';
import { FIELD_LIMITS, type TaskCreatedData, TaskError, type TaskService, type TaskView, tooLong } from '@longhaul/tasks';
import type { CallToolResult, Result } from '@modelcontextprotocol/sdk/types.js';
import type { ContextOf } from '../../rpc/features/request-context.js';
import { invalidParams, RpcCode } from '../../rpc/errors.js';
import { answerOf } from '../outcome.js';
import { taskObject } from '../task-object.js';
import { checkNeeds } from '../../rpc/features/check-needs.js';
import { type CallParams, callParamsSchema } from '../../rpc/features/call-params.js';
import type { FollowTask } from './follow-task.js';
import type { ActCall, Method } from '../../rpc/method.js';
import { parseParams } from '../../rpc/params.js';
import { taskToCreate } from '../../rpc/tasks/task-to-create.js';

/** What the model is told while the task runs. */
const IMMEDIATE_RESPONSE = 'io.modelcontextprotocol/model-immediate-response';

/** What calls need. */
export interface CallToolDeps {
  readonly features: FeatureRegistry;
  readonly tasks: TaskService;
  readonly contextOf: ContextOf;
  readonly follow: FollowTask;
  readonly maxTtlMs: number;
}

/**
 * `tools/call`. A tool that does not support tasks runs here, within the request. A durable one always
 * runs as a task on a worker: a call with `task` is answered with its handle at once, a plain call
 * waits for its end.
 */
export function callTool(deps: CallToolDeps): Method {
  return {
    name: 'tools/call',
    kind: 'waits',
    handle(call) {
      const params = parseParams(callParamsSchema, call.params);
      const { name, task } = params;
      const tool = deps.features.tool(name);
      if (tool === undefined) throw invalidParams(`Unknown tool: ${name}`);
      checkNeeds(`Tool ${name}`, tool.needs, call.session);
      if (tool.taskSupport === 'forbidden') {
        if (task !== undefined) throw new ProtocolError(RpcCode.MethodNotFound, `Tool ${name} cannot be called as a task.`);
        return tool.call(params.arguments, deps.contextOf(call));
      }
      if (task !== undefined) return startTask(deps, tool, params, call);
      if (tool.taskSupport === 'required')
        throw new ProtocolError(RpcCode.MethodNotFound, `Tool ${name} can only be called as a task: add "task" to the params.`);
      return waitForTask(deps, tool, params, call);
    },
  };
}

/** Wrong arguments are left to the task: as the failure of the call they belong into `tasks/result`. */
async function startTask(deps: CallToolDeps, tool: DurableTool, given: CallParams, call: ActCall): Promise<Result> {
  const { tasks, maxTtlMs } = deps;
  const params = await prepared(tool, given, call, deps.contextOf);
  const task = taskObject(await createOfCall(tasks, taskToCreate(tool, params, call, maxTtlMs), call));
  const { immediateResponse } = tool;
  return { task, ...(immediateResponse !== undefined && { _meta: { [IMMEDIATE_RESPONSE]: immediateResponse } }) };
}

async function waitForTask(deps: CallToolDeps, tool: DurableTool, given: CallParams, call: ActCall): Promise<CallToolResult | Result> {
  const { tasks, follow, maxTtlMs } = deps;
  const params = await prepared(tool, given, call, deps.contextOf);
  const checked = tool.check(params.arguments);
  if (!checked.ok) return errorResult(invalidArguments(tool.name, checked.message));
  const view = await createOfCall(tasks, taskToCreate(tool, params, call, maxTtlMs), call);
  try {
    return answerOf(await follow(view, call));
  } catch (error) {
    // Only the client's own cancellation ends the work; when it merely hung up, the task goes on.
    if (call.exchange.isCancelled) await cancelQuietly(tasks, view);
    throw error;
  }
}

/**
 * Creates the task of a call. When the client cancels the call before it has the handle, there is no task that works on: nobody
 * could follow it. That of an idempotency key is left, because another call of the same key may have its handle.
 *
 * @throws the reason of the call's signal when it is cancelled
 */
export async function createOfCall(tasks: TaskService, task: TaskCreatedData, { exchange }: ActCall): Promise<TaskView> {
  if (exchange.isCancelled) exchange.signal.throwIfAborted();
  const view = await tasks.create(task);
  if (!exchange.isCancelled) return view;
  if (task.idempotencyKey === undefined) await cancelQuietly(tasks, view);
  exchange.signal.throwIfAborted();
  return view;
}

/**
 * The params with the arguments that the tool has completed.
 *
 * @throws ProtocolError for what it throws; -32603 when the arguments are too large to be recorded
 */
export async function prepared(tool: DurableTool, params: CallParams, call: ActCall, contextOf: ContextOf): Promise<CallParams> {
  const { name, prepare } = tool;
  if (prepare === undefined) return params;
  const args = await resultOrError(`Tool ${name}`, () => prepare(params.arguments ?? {}, contextOf(call)));
  const problem = tooLong(
    `The JSON of the arguments that tool ${name} prepares`,
    JSON.stringify(args),
    FIELD_LIMITS.preparedArgumentsBytes,
  );
  if (problem !== undefined) throw new ProtocolError(RpcCode.InternalError, problem);
  return { ...params, arguments: args };
}

/** Cancels a task that may have ended meanwhile. Its client has gone, and nobody else will: while the store is away it waits. */
export async function cancelQuietly(tasks: TaskService, { taskId, owner }: TaskView): Promise<void> {
  try {
    await tasks.patiently(() => tasks.cancel(taskId, { owner }, 'The client cancelled the call.'));
  } catch (error) {
    if (!(error instanceof TaskError && error.code === 'TASK_ENDED')) throw error;
  }
}
