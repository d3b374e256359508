/** Handles `tools/call` of revision 2026-07-28. The server decides whether a call becomes a task, if the client knows tasks. */
import { type DurableTool, errorResult, type FeatureRegistry, invalidArguments } from '@longhaul/mcp-features';
import type { TaskView } from '@longhaul/tasks';
import type { Result } from '@modelcontextprotocol/sdk/types.js';
import type { ContextOf } from '../../rpc/features/request-context.js';
import { invalidParams } from '../../rpc/errors.js';
import { type CallParams, callParamsSchema, createOfCall, prepared, type TaskTerms, taskToCreate } from '../../rpc/tasks/task-of-call.js';
import { attempted, mayAttempt } from '../../rpc/tasks/attempt-of-call.js';
import { requireNoWebhook } from '../../rpc/tasks/webhook-of-call.js';
import { checkNeeds } from '../../rpc/features/check-needs.js';
import { parseParams } from '../../rpc/params.js';
import { tasksExtensionMissing } from '../requests/failures.js';
import type { RequestCall } from '../requests/request-call.js';
import { inRounds, openRound } from '../multi-round-trip/rounds.js';
import { answerTask, createdTask, giveUp, type SyncCallDeps, waitFor } from './sync-call.js';
import { UrlsNotOpened } from '../requests/failures.js';

/** The parts that calls need. */
export interface CallToolDeps extends SyncCallDeps, TaskTerms {
  readonly features: FeatureRegistry;
  readonly contextOf: ContextOf;
}

export async function callTool(deps: CallToolDeps, request: RequestCall): Promise<Result> {
  const { features, plainCalls, contextOf, seal } = deps;
  const { call, knowsTasks } = request;
  const params = parseParams(callParamsSchema, call.params);
  const { name, arguments: args } = params;
  const tool = features.tool(name);
  if (plainCalls.hasStandIn(name, call.requester)) {
    requireNoWebhook(name, params);
    openRound(request, seal); // A returned state must be genuine, although its content is not needed.
    return plainCalls.callStandIn(name, args, call, ({ view }) => answerTask(deps, undefined, view.taskId, request));
  }
  if (tool === undefined) throw invalidParams(`Unknown tool: ${name}`);
  checkNeeds(`Tool ${name}`, tool.needs, call.requester);
  if (tool.taskSupport === 'required' && !knowsTasks) throw tasksExtensionMissing();
  try {
    if (tool.taskSupport !== 'forbidden') return await runAsTask(deps, tool, request);
    requireNoWebhook(name, params);
    return await inRounds(request, seal, (round) => tool.call(args, contextOf(round)));
  } catch (error) {
    if (error instanceof UrlsNotOpened) return errorResult(error.message);
    throw error;
  }
}

async function runAsTask(deps: CallToolDeps, tool: DurableTool, request: RequestCall): Promise<Result> {
  const { tasks, contextOf, seal, plainCalls } = deps;
  const { call, knowsTasks } = request;
  const { taskId } = openRound(request, seal);
  if (taskId !== undefined) return answerTask(deps, tool, taskId, request);
  const since = Date.now();
  const asked = parseParams(callParamsSchema, call.params);
  const answered = mayAttempt(tool, asked) ? await attemptInRounds(deps, tool, asked, request) : undefined;
  if (answered !== undefined) return answered;
  const running = knowsTasks ? undefined : await plainCalls.left.running(tool, call);
  if (running !== undefined) {
    call.operation.about(running);
    return waitFor(deps, tool, running, request);
  }
  const given = { ...asked, ...(knowsTasks && { task: {} }) };
  const params = tool.prepare === undefined ? given : await inRounds(request, seal, (round) => prepared(tool, given, round, contextOf));
  if ('requestState' in params) return params;
  const checked = tool.check(params.arguments);
  if (!checked.ok) return errorResult(invalidArguments(tool.name, checked.message));
  const whenCancelled = knowsTasks ? undefined : (view: TaskView) => giveUp(deps, view, call, since);
  const view = await createOfCall(tasks, taskToCreate(tool, params, call, deps), call, whenCancelled);
  return knowsTasks ? createdTask(view) : waitFor(deps, tool, view, request);
}

/** @returns nothing if the call has to become a task */
async function attemptInRounds(
  { seal, contextOf }: CallToolDeps,
  tool: DurableTool,
  params: CallParams,
  request: RequestCall,
): Promise<Result | undefined> {
  const ended = await inRounds(request, seal, async (round) => ({ answer: await attempted(tool, params, round, contextOf) }));
  return 'requestState' in ended ? ended : ended.answer;
}
