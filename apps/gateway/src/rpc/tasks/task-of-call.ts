/** Handles the task behind a call of a durable tool: its recorded arguments, its creation, and its end when the call is cancelled. */
import { type DurableTool, ProtocolError, resultOrError, taskTimesOf } from '@longhaul/mcp-features';
import { clientInfoOf, type Requester } from '@longhaul/sessions/gateway';
import {
  FIELD_LIMITS,
  type JsonObject,
  kindsNotTaken,
  problemOfSpending,
  type QuestionKind,
  type Spending,
  stricterBudget,
  type TaskCreatedData,
  TaskError,
  type TaskView,
  tooLong,
} from '@longhaul/tasks';
import { z } from 'zod';
import { CALLER_SECRET_HEADER, callerAuthOf } from '../caller.js';
import { invalidParams, RpcCode } from '../errors.js';
import type { Owners } from '../features/owners.js';
import type { ContextOf } from '../features/request-context.js';
import type { Call } from '../method.js';
import { BUDGET, IDEMPOTENCY_KEY } from '../param-limits.js';
import type { ScopedTasks } from './scoped-tasks.js';
import { type CallsHosts, namedWebhook, WEBHOOK, webhookOfCall } from './webhook-of-call.js';

/**
 * Creates the task of a call. If the client cancels the call before it has the handle, the task is cancelled too, because no client could
 * follow it. A task with an idempotency key continues, because another call of the same key may have its handle.
 *
 * @param whenCancelled what happens to a task whose call is cancelled by then @defaultValue it is cancelled
 * @throws the reason of the call's signal when it is cancelled
 */
export async function createOfCall(
  tasks: ScopedTasks,
  task: TaskCreatedData,
  { scope }: Call,
  whenCancelled = (view: TaskView): Promise<void> => cancelQuietly(tasks, view),
): Promise<TaskView> {
  if (scope.isCancelled) scope.signal.throwIfAborted();
  const view = await tasks.create(task);
  if (!scope.isCancelled) return view;
  if (task.idempotencyKey === undefined) await whenCancelled(view);
  scope.signal.throwIfAborted();
  return view;
}

/**
 * The params with the arguments that the tool has completed.
 *
 * @throws ProtocolError for the tool's errors; -32603 when the arguments are too large to be recorded
 */
export async function prepared(tool: DurableTool, params: CallParams, call: Call, contextOf: ContextOf): Promise<CallParams> {
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

/**
 * Cancels a task that may have ended in the meantime. The client has gone and cannot repeat it, so this waits while the store is
 * unreachable.
 */
export async function cancelQuietly(
  tasks: ScopedTasks,
  { taskId, owner }: TaskView,
  reason = 'The client cancelled the call.',
): Promise<void> {
  try {
    await tasks.patiently(() => tasks.cancel(taskId, { owner, auth: undefined }, reason));
  } catch (error) {
    if (!(error instanceof TaskError && error.code === 'TASK_ENDED')) throw error;
  }
}

/** How long a task that has left its plain call is kept from its end: a conversation may go on the next day. */
const PLAIN_CALL_TTL_MS = 24 * 3_600_000;

/** The terms that do not depend on the call. */
export interface TaskTerms {
  readonly owners: Pick<Owners, 'ownerOf'>;
  /** The longest time that an ended task is kept, milliseconds. */
  readonly maxTtlMs: number;
  /** The kinds of questions that wait in a task when its client cannot be asked. */
  readonly keptQuestions: readonly QuestionKind[];
  /** Hosts that a call may name for a webhook. @defaultValue none */
  readonly webhookHosts?: CallsHosts;
}

/** Other anonymous callers could guess the key, and would be given its task. */
const KEY_OF_ANYBODY = `params._meta["${IDEMPOTENCY_KEY}"] is taken only from a caller that is known: send Authorization where the server asks for it, otherwise a header ${CALLER_SECRET_HEADER} with 32 or more random characters, the same each time`;

/**
 * The task that a call of a durable tool becomes, explicit when the call asks for one.
 *
 * @param refused why the arguments are not kept
 * @throws ProtocolError -32602 for an idempotency key of an anonymous caller, or a webhook that is not allowed
 */
export function taskToCreate(
  tool: DurableTool,
  params: CallParams,
  call: Call,
  { owners, maxTtlMs, keptQuestions, webhookHosts = {} }: TaskTerms,
  refused?: string,
): TaskCreatedData {
  const { requester, sessionId, caller } = call;
  const { traceparent: trace, tracestate: traceState, baggage } = call.operation.trace ?? {};
  const progressToken = params._meta?.progressToken;
  const recordOwner = owners.ownerOf(call);
  const idempotencyKey = params._meta?.[IDEMPOTENCY_KEY];
  const webhook = params._meta?.[WEBHOOK];
  const budget = stricterBudget(tool.budget, params._meta?.[BUDGET]);
  if (idempotencyKey !== undefined && isShared(requester)) throw invalidParams(KEY_OF_ANYBODY);
  const client = clientInfoOf(requester);
  const kept = kindsNotTaken(client.capabilities, keptQuestions);
  return {
    tool: tool.name,
    ...(refused === undefined ? { arguments: params.arguments ?? {} } : { arguments: {}, refused }),
    owner: caller.owner,
    ...(requester.auth !== undefined && { auth: callerAuthOf(requester.auth) }),
    ...(tool.scopes.length > 0 && { scopes: tool.scopes }),
    ...(requester.accounts !== undefined && { accounts: requester.accounts }),
    ...(recordOwner !== undefined && { recordOwner }),
    ...(sessionId !== undefined && { sessionId }),
    client,
    ...(kept.length > 0 && { keptQuestions: kept }),
    ...taskTimesOf(tool, params.task === undefined ? Math.max(tool.ttlMs ?? 0, PLAIN_CALL_TTL_MS) : params.task.ttl, maxTtlMs),
    ...(params.task === undefined && { implicit: true }),
    ...(progressToken !== undefined && { progressToken }),
    ...(budget !== undefined && { budget }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(webhook !== undefined && { webhooks: [namedWebhook(webhook, webhookHosts)] }),
    ...(trace !== undefined && { trace }),
    ...(traceState !== undefined && { traceState }),
    ...(baggage !== undefined && { baggage }),
  };
}

/** Whether all anonymous callers share the owner. */
export function isShared({ owner, accounts = [owner] }: Requester): boolean {
  return !accounts.includes(owner);
}

/** Checked and passed on unchanged: arguments are recorded raw, and may be large. */
const RawObject = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'expected object');

const budgetOfCall = z.custom<Spending>().superRefine((given, refinement) => {
  const problem = problemOfSpending('it', given);
  if (problem !== undefined) refinement.addIssue(problem);
});

const CallParams = z.object({
  name: z.string(),
  arguments: RawObject.optional(),
  task: z.object({ ttl: z.number().nonnegative().nullish() }).optional(),
  _meta: z
    .object({
      progressToken: z.union([z.string(), z.int()]).optional(),
      [IDEMPOTENCY_KEY]: z.string().min(1).optional(),
      [WEBHOOK]: webhookOfCall.optional(),
      [BUDGET]: budgetOfCall.optional(),
    })
    .optional(),
});

/** The params of `tools/call`. `task.ttl` is in milliseconds; `null` asks for the longest. */
export type CallParams = z.infer<typeof CallParams>;

export const callParamsSchema: z.ZodType<CallParams> = CallParams;
