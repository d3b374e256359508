import type { Session } from '@longhaul/sessions/gateway';
import { ProtocolError } from '@longhaul/mcp-features';
import type { JsonObject } from '@longhaul/tasks';
import type { Result } from '@modelcontextprotocol/sdk/types.js';
import { RpcCode } from '../../rpc/errors.js';
import { type TaskCaller, taskCallerOf } from '../../rpc/caller.js';
import type { ClientRequest } from '../../rpc/method.js';
import type { ClientRequests } from './client-requests.js';
import type { Operation } from '../../rpc/operation.js';
import { checkParams } from '../../rpc/param-limits.js';
import type { Answerer } from './open-request.js';
import type { SessionMethod } from './session-call.js';
import type { RequestMessage } from '../../rpc/messages.js';

/** A request with its session. */
export interface SessionRequest {
  readonly message: RequestMessage;
  readonly session: Session;
  readonly operation: Operation;
}

/** Runs the method of a request; a request for an unknown method gets an error. */
export function answererOf(
  method: SessionMethod | undefined,
  { message, session, operation }: SessionRequest,
  clientRequests: ClientRequests,
): Answerer {
  const { id, method: name, params } = message;
  const caller = taskCallerOf(session);
  return (scope) => {
    if (method === undefined) throw new ProtocolError(RpcCode.MethodNotFound, 'Method not found');
    checkParams(params);
    if (method.kind === 'reads') return method.handle({ params, caller });
    const ask = (request: ClientRequest): Promise<JsonObject> => clientRequests.send({ scope, session }, request);
    const sessionId = session.isStored ? { sessionId: session.id } : {};
    return method.handle({
      id,
      method: name,
      params,
      caller,
      requester: session,
      session,
      ...sessionId,
      scope,
      ask,
      operation,
    });
  };
}

/**
 * Starts a method without effects before it is known whether the session exists, so that both reads
 * are one round trip. The caller must not use the answer unless it does.
 */
export function answerEarly(
  method: SessionMethod | undefined,
  { params }: RequestMessage,
  caller: TaskCaller,
): Promise<Result> | undefined {
  if (method?.kind !== 'reads') return undefined;
  const answer = (async () => {
    checkParams(params);
    return method.handle({ params, caller });
  })();
  // If the session turns out to be missing, nobody asks for it again.
  answer.catch(() => undefined);
  return answer;
}
