import { type DurableTool, errorResult, type FeatureRegistry, invalidArguments, ProtocolError } from '@longhaul/mcp-features';
import type { CallToolResult, Result } from '@modelcontextprotocol/sdk/types.js';
import type { ContextOf } from '../../rpc/features/request-context.js';
import { invalidParams, RpcCode } from '../../rpc/errors.js';
import { taskObject } from '../wire/task-object.js';
import { checkNeeds } from '../../rpc/features/check-needs.js';
import { type CallParams, callParamsSchema, createOfCall, prepared, type TaskTerms, taskToCreate } from '../../rpc/tasks/task-of-call.js';
import type { Session } from '@longhaul/sessions/gateway';
import type { TaskView } from '@longhaul/tasks';
import type { PlainCalls } from '../../rpc/plain-calls/plain-calls.js';
import { attempted, mayAttempt } from '../../rpc/tasks/attempt-of-call.js';
import { requireNoWebhook } from '../../rpc/tasks/webhook-of-call.js';
import { giveUpIfGone } from '../requests/given-up.js';
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

function callStandIn({ plainCalls, follow }: CallToolDeps, params: CallParams, call: SessionCall): Promise<Result> {
  const { name, arguments: args, _meta } = params;
  requireNoWebhook(name, params);
  return plainCalls.callStandIn(name, args, call, async (snapshot) => {
    const { view: shown } = snapshot;
    const terms = { handOverAt: plainCalls.handOverAt(call, { shown }), shown, progressToken: _meta?.progressToken };
    const followed = await follow(snapshot, call, terms);
    return 'left' in followed
      ? plainCalls.handOver(followed.left, { requester: call.requester, isFirst: false })
      : plainCalls.answerOf(followed.outcome, shown.taskId, terms.handOverAt);
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
  const { follow, plainCalls } = deps;
  const since = Date.now();
  const answered = mayAttempt(tool, given) ? await attempted(tool, given, call, deps.contextOf) : undefined;
  if (answered !== undefined) return answered;
  const giveUp = (view: TaskView): Promise<void> => giveUpIfGone(deps, view, { scope: call.scope, requester: call.requester, call, since });
  const running = await plainCalls.left.running(tool, call);
  const started = running ?? (await newTask(deps, tool, { given, call, giveUp }));
  if ('content' in started) return started;
  if (running !== undefined) call.operation.about(running);
  try {
    const role = running === undefined ? 'call' : 'repeat';
    const terms = { handOverAt: plainCalls.handOverAt(call, { tool }), progressToken: given._meta?.progressToken, role } as const;
    const followed = await follow({ view: started }, call, terms);
    return 'left' in followed
      ? await plainCalls.handOver(followed.left, { requester: call.requester, isFirst: true, call })
      : plainCalls.answerOf(followed.outcome, started.taskId, terms.handOverAt);
  } catch (error) {
    await giveUp(started);
    throw error;
  }
}

/** A plain call that starts a task. */
interface StartingCall {
  readonly given: CallParams;
  readonly call: SessionCall;
  readonly giveUp: (view: TaskView) => Promise<void>;
}

/** @returns the task, or the result of a call whose arguments are wrong */
async function newTask(deps: CallToolDeps, tool: DurableTool, { given, call, giveUp }: StartingCall): Promise<TaskView | CallToolResult> {
  const params = await prepared(tool, given, call, deps.contextOf);
  const checked = tool.check(params.arguments);
  if (!checked.ok) return errorResult(invalidArguments(tool.name, checked.message));
  return createOfCall(deps.tasks, taskToCreate(tool, params, call, deps), call, giveUp);
}
