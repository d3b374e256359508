/**
 * Runs a durable tool for a client without the tasks extension. The tool still runs as a task, and the request waits for it: for a while,
 * or until the task asks something. Then the answer contains the question, and the task in its sealed state; the repeated request continues
 * the task. A task that takes longer is left to the tools for such clients, which take its id. When the gateway is about to end, the client
 * is sent to another one; when the caller's token has expired, for another token. Both keep the same state, and nothing is asked.
 */
import { clientInfoOf, type Requester } from '@longhaul/sessions/gateway';
import type { DurableTool } from '@longhaul/mcp-features';
import { isKept, type QuestionKind, requireCapability, type TaskView } from '@longhaul/tasks';
import type { Result } from '@modelcontextprotocol/sdk/types.js';
import type { Listener, NotifyOfTask } from '../../rpc/tasks/notify-of-task.js';
import { invalidParams } from '../../rpc/errors.js';
import { answerOrReason, canBeAsked, inputRequestsOf } from '../multi-round-trip/input-requests.js';
import type { RequestCall } from '../requests/request-call.js';
import { inputRequired } from '../multi-round-trip/rounds.js';
import type { StateSeal } from '../multi-round-trip/sealed-state.js';
import { taskHead } from './task-details.js';
import type { Call } from '../../rpc/method.js';
import { type PlainCalls, progressTokenOf } from '../../rpc/plain-calls/plain-calls.js';
import type { ScopedTasks } from '../../rpc/tasks/scoped-tasks.js';

/** The parts that such calls need. */
export interface SyncCallDeps {
  readonly tasks: ScopedTasks;
  readonly notifyOfTask: NotifyOfTask;
  readonly seal: StateSeal;
  readonly plainCalls: PlainCalls;
  /** The kinds of questions that wait for somebody else when the client cannot be asked. */
  readonly keptQuestions: readonly QuestionKind[];
  /** Aborts when the process is about to end. */
  readonly closing: AbortSignal;
}

/** Continues a task when the client has answered its questions, or some of them. */
export async function answerTask(deps: SyncCallDeps, tool: DurableTool | undefined, taskId: string, request: RequestCall): Promise<Result> {
  const { tasks } = deps;
  const { call, round, knowsTasks } = request;
  const { view } = await tasks.getOfCall(taskId, call.caller);
  call.operation.about(view);
  const reasons = new Map<string, string>();
  for (const asked of view.pendingInputs) {
    if (!Object.hasOwn(round.inputResponses, asked.key)) continue;
    const answer = answerOrReason(asked, round.inputResponses[asked.key]);
    if ('reason' in answer) reasons.set(asked.key, answer.reason);
    else await tasks.provideInput(view.taskId, asked.key, () => answer, call.caller, { via: 'retry' });
  }
  const answered = withReasons((await tasks.getOfCall(taskId, call.caller)).view, reasons);
  const [refused] = reasons;
  // Otherwise the question is asked again, with the reason.
  if (knowsTasks && refused !== undefined) throw invalidParams(`inputResponses.${refused[0]}: ${refused[1]}`);
  if (!knowsTasks) return waitFor(deps, tool, answered, request);
  // The client has declared the extension since the call, and finds the task by its id from now on.
  return createdTask(await tasks.detach(answered, { because: 'followed' }));
}

/** Adds to the task the reasons of refused answers, which are not recorded. */
function withReasons(view: TaskView, reasons: ReadonlyMap<string, string>): TaskView {
  if (reasons.size === 0) return view;
  const pendingInputs = view.pendingInputs.map((input) => {
    const reason = reasons.get(input.key);
    return reason === undefined ? input : { ...input, refused: { times: (input.refused?.times ?? 0) + 1, reason } };
  });
  return { ...view, pendingInputs };
}

/** The task itself, for a client with the extension. */
export function createdTask(view: TaskView): Result {
  return { resultType: 'task', ...taskHead(view, Date.now()) };
}

/**
 * Waits for a task.
 *
 * @param tool the called tool; absent: the call is not the one that made the task, and ends without it
 */
export async function waitFor(deps: SyncCallDeps, tool: DurableTool | undefined, from: TaskView, request: RequestCall): Promise<Result> {
  const { tasks, notifyOfTask, seal, plainCalls, closing } = deps;
  const { call } = request;
  const { scope, requester } = call;
  const { signal } = scope;
  const since = Date.now();
  // A call that did not make the task has shown its questions before.
  const shown = tool === undefined ? from : undefined;
  const handOverAt = plainCalls.handOverAt(call, { tool, shown });
  const tooLong = handOverAt === undefined ? undefined : AbortSignal.timeout(Math.max(0, handOverAt - Date.now()));
  const elsewhere = new AbortController();
  const sendElsewhere = (): void => elsewhere.abort();
  if (closing.aborted) sendElsewhere();
  closing.addEventListener('abort', sendElsewhere);
  const { leaving = elsewhere.signal } = scope;
  const until = AbortSignal.any([signal, elsewhere.signal, leaving, ...(tooLong === undefined ? [] : [tooLong])]);
  const signs = plainCalls.begin({
    createdAt: from.createdAt,
    progressToken: progressTokenOf(call),
    push: (message) => scope.push(message),
    open: () => scope.open?.(),
  });
  const listener: Listener = {
    logLevel: () => Promise.resolve(requester.logLevel),
    push: (message) => signs.push(message),
    signal: until,
  };
  let latest = from;
  try {
    for await (const { view, outcome } of tasks.follow({ view: from }, until)) {
      latest = view;
      await notifyOfTask(asOfCall(view, call), listener);
      signs.see(view); // The tool's own report comes first.
      if (outcome !== undefined) return plainCalls.answerOf(outcome, from.taskId, handOverAt);
      const asked = inputRequestsOf(view.pendingInputs, requester.client().capabilities);
      if (Object.keys(asked).length === 0) {
        if (tool !== undefined) requireAnswerable(view.pendingInputs, requester, deps.keptQuestions);
        if (handOverAt !== undefined && plainCalls.waitsForOthers(view, requester, shown)) break;
        continue;
      }
      return inputRequired(asked, { taskId: view.taskId, answers: {} }, { seal, call, leastMs: view.standing.maxWaitMs });
    }
  } catch (error) {
    if (signal.aborted && tool !== undefined) await giveUp(deps, from, call, since);
    if (signal.aborted || !(tooLong?.aborted === true || closing.aborted || leaving.aborted)) throw error;
    if (closing.aborted || leaving.aborted)
      return inputRequired({}, { taskId: from.taskId, answers: {} }, { seal, call, leastMs: from.standing.maxWaitMs });
  } finally {
    signs.end();
    closing.removeEventListener('abort', sendElsewhere);
  }
  return plainCalls.handOver(latest, { requester, isFirst: tool !== undefined, call: tool && call });
}

/** The client has hung up, which is how it cancels a call in this revision, and also what it does when its time is up. */
export async function giveUp({ plainCalls }: Pick<SyncCallDeps, 'plainCalls'>, view: TaskView, call: Call, since: number): Promise<void> {
  const { requester, scope } = call;
  const { cancellation, hasStreamed = false } = scope;
  const how = cancellation === undefined ? ({ how: 'closed' } as const) : ({ how: 'cancelled', ...cancellation } as const);
  await plainCalls.left.giveUp(view, { ...how, hasStreamed, requester, call, since });
}

/**
 * The client may have declared more when it made the call. Then it would wait in vain for questions that nobody else answers.
 *
 * @throws TaskError `CLIENT_LACKS_CAPABILITY`
 */
function requireAnswerable(pending: TaskView['pendingInputs'], requester: Requester, kept: readonly QuestionKind[]): void {
  const client = clientInfoOf(requester);
  for (const { method, params } of pending)
    if (canBeAsked(method) && !isKept(method, kept)) requireCapability(client, method, params, false);
}

/** The task without a handle that the client knows, and with the progress token of this request instead of an earlier one's. */
function asOfCall(view: TaskView, call: RequestCall['call']): TaskView {
  const { progressToken: _earlier, ...task } = view;
  const progressToken = progressTokenOf(call);
  return { ...task, implicit: true, ...(progressToken !== undefined && { progressToken }) };
}
