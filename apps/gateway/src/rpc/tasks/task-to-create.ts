import { clientInfoOf, type Requester } from '@longhaul/sessions/gateway';
import { type DurableTool, taskTimesOf } from '@longhaul/mcp-features';
import type { TaskCreatedData } from '@longhaul/tasks';
import { CALLER_SECRET_HEADER, callerAuthOf } from '../caller.js';
import { invalidParams } from '../errors.js';
import type { CallParams } from '../features/call-params.js';
import type { Owners } from '../features/owners.js';
import { IDEMPOTENCY_KEY } from '../param-limits.js';
import type { Call } from '../method.js';

/** What does not depend on the call. */
export interface TaskTerms {
  readonly owners: Pick<Owners, 'ownerOf'>;
  /** How long an ended task is kept at most, milliseconds. */
  readonly maxTtlMs: number;
}

/** Others that nobody knows either would be given the task of the key, if they guess it. */
const KEY_OF_ANYBODY = `params._meta["${IDEMPOTENCY_KEY}"] is taken only from a caller that is known: send Authorization where the server asks for it, otherwise a header ${CALLER_SECRET_HEADER} with 32 or more random characters, the same each time`;

/**
 * The task that a call of a durable tool becomes, explicit when the call asks for one.
 *
 * @param refused why the arguments are not kept
 * @throws ProtocolError -32602 for an idempotency key of a caller that nobody knows
 */
export function taskToCreate(
  tool: DurableTool,
  params: CallParams,
  call: Call,
  { owners, maxTtlMs }: TaskTerms,
  refused?: string,
): TaskCreatedData {
  const { requester, sessionId, caller } = call;
  const { traceparent: trace, tracestate: traceState, baggage } = call.operation.trace ?? {};
  const progressToken = params._meta?.progressToken;
  const recordOwner = owners.ownerOf(call);
  const idempotencyKey = params._meta?.[IDEMPOTENCY_KEY];
  if (idempotencyKey !== undefined && isShared(requester)) throw invalidParams(KEY_OF_ANYBODY);
  return {
    tool: tool.name,
    ...(refused === undefined ? { arguments: params.arguments ?? {} } : { arguments: {}, refused }),
    owner: caller.owner,
    ...(requester.auth !== undefined && { auth: callerAuthOf(requester.auth) }),
    ...(tool.scopes.length > 0 && { scopes: tool.scopes }),
    ...(requester.accounts !== undefined && { accounts: requester.accounts }),
    ...(recordOwner !== undefined && { recordOwner }),
    ...(sessionId !== undefined && { sessionId }),
    client: clientInfoOf(requester),
    ...taskTimesOf(tool, params.task?.ttl, maxTtlMs),
    ...(params.task === undefined && { implicit: true }),
    ...(progressToken !== undefined && { progressToken }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(trace !== undefined && { trace }),
    ...(traceState !== undefined && { traceState }),
    ...(baggage !== undefined && { baggage }),
  };
}

/** Whether the owner is everybody whom nobody knows. */
function isShared({ owner, accounts = [owner] }: Requester): boolean {
  return !accounts.includes(owner);
}
