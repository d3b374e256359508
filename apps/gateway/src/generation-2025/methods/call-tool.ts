import { type DurableTool, errorResult, type FeatureRegistry, invalidArguments, ProtocolError } from '@longhaul/mcp-features';
import type { CallToolResult, Result } from '@modelcontextprotocol/sdk/types.js';
import type { ContextOf } from '../../rpc/features/request-context.js';
import { invalidParams, RpcCode } from '../../rpc/errors.js';
import { taskObject } from '../wire/task-object.js';
import { checkNeeds } from '../../rpc/features/check-needs.js';
import {
  type CallParams,
  callParamsSchema,
  cancelQuietly,
  createOfCall,
  prepared,
  type TaskTerms,
  taskToCreate,
} from '../../rpc/tasks/task-of-call.js';
import type { Session } from '@longhaul/sessions/gateway';
import type { PlainCalls } from '../../rpc/plain-calls/plain-calls.js';
import { requireNoWebhook } from '../../rpc/tasks/webhook-of-call.js';
import type { FollowTask } from '../input-requests/follow-task.js';
import type { SessionCall, SessionMethod } from '../requests/session-call.js';
import { parseParams } from '../../rpc/params.js';
import type { ScopedTasks } from '../../rpc/tasks/scoped-tasks.js';

/** The text that the model receives while the task runs. */
const IMMEDIATE_RESPONSE = 'io.modelcontextprotocol/model-immediate-response';

/** The parts that calls need. */
export interface CallToolDeps extends TaskTerms {
  readonly features: FeatureRegistry;
  readonly tasks: ScopedTasks;
  readonly contextOf: ContextOf;
  readonly follow: FollowTask;
  readonly plainCalls: PlainCalls;
  /** Notes that the client of a session follows tasks. */
  readonly noteTasks: (session: Session) => Promise<void>;
}

/**
 * `tools/call`. A tool that does not support tasks runs here, within the request. A durable tool always runs as a task on a worker: a call
 * with `task` receives its handle at once, a plain call waits for its end.
 */
export function callTool(deps: CallToolDeps): SessionMethod {
  return {
    name: 'tools/call',
    kind: 'waits',
    handle(call) {
      const params = parseParams(callParamsSchema, call.params);
      const { name, task } = params;
      if (deps.plainCalls.hasStandIn(name, call.requester)) return callStandIn(deps, params, call);
      const tool = deps.features.tool(name);
      if (tool === undefined) throw invalidParams(`Unknown tool: ${name}`);
      checkNeeds(`Tool ${name}`, tool.needs, call.requester);
      if (tool.taskSupport === 'forbidden') {
        if (task !== undefined) throw new ProtocolError(RpcCode.MethodNotFound, `Tool ${name} cannot be called as a task.`);
        requireNoWebhook(name, params);
        return tool.call(params.arguments, deps.contextOf(call));
      }
      if (task !== undefined) return startTask(deps, tool, params, call);
      if (tool.taskSupport === 'required')
        throw new ProtocolError(RpcCode.MethodNotFound, `Tool ${name} can only be called as a task: add "task" to the params.`);
      return waitForTask(deps, tool, params, call);
    },
  };
}

function callStandIn(
  { plainCalls, follow }: CallToolDeps,
  { name, arguments: args, _meta }: CallParams,
  call: SessionCall,
): Promise<Result> {
  const { progressToken } = _meta ?? {};
  return plainCalls.callStandIn(name, args, call, async (snapshot) => {
    const handOverAt = plainCalls.handOverAt(call.requester, snapshot.view) ?? Infinity;
    const terms = { handOverAt, shown: snapshot.view, ...(progressToken !== undefined && { progressToken }) };
    const followed = await follow(snapshot, call, terms);
    return 'left' in followed
      ? plainCalls.handOver(followed.left, call.requester)
      : plainCalls.answerOf(followed.outcome, snapshot.view.taskId, handOverAt);
  });
}

/** Wrong arguments fail the task, because the failure of the call belongs in `tasks/result`. The task keeps only the reason. */
async function startTask(deps: CallToolDeps, tool: DurableTool, given: CallParams, call: SessionCall): Promise<Result> {
  const { tasks, noteTasks } = deps;
  await noteTasks(call.session);
  const params = await prepared(tool, given, call, deps.contextOf);
  const checked = tool.check(params.arguments);
  const refused = checked.ok ? undefined : invalidArguments(tool.name, checked.message);
  const task = taskObject(await createOfCall(tasks, taskToCreate(tool, params, call, deps, refused), call));
  const { immediateResponse } = tool;
  return { task, ...(immediateResponse !== undefined && { _meta: { [IMMEDIATE_RESPONSE]: immediateResponse } }) };
}

async function waitForTask(deps: CallToolDeps, tool: DurableTool, given: CallParams, call: SessionCall): Promise<CallToolResult | Result> {
  const { tasks, follow, plainCalls } = deps;
  const params = await prepared(tool, given, call, deps.contextOf);
  const checked = tool.check(params.arguments);
  if (!checked.ok) return errorResult(invalidArguments(tool.name, checked.message));
  const view = await createOfCall(tasks, taskToCreate(tool, params, call, deps), call);
  const handOverAt = plainCalls.handOverAt(call.requester);
  try {
    const followed = await follow({ view }, call, handOverAt === undefined ? undefined : { handOverAt });
    return 'left' in followed
      ? await plainCalls.handOver(followed.left, call.requester)
      : plainCalls.answerOf(followed.outcome, view.taskId, handOverAt);
  } catch (error) {
    // Only the client's own cancellation ends the work; when it merely hung up, the task continues.
    if (call.scope.isCancelled) await cancelQuietly(tasks, view);
    throw error;
  }
}
