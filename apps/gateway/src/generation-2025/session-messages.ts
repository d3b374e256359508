import { ProtocolError } from '@longhaul/mcp-features';
import { type Session, UNFINISHED_TTL_MS } from '@longhaul/sessions/gateway';
import { cutText, FIELD_LIMITS, type JsonObject } from '@longhaul/tasks';
import type { Result } from '@modelcontextprotocol/sdk/types.js';
import { type TaskCaller, taskCallerOf } from '../rpc/caller.js';
import { RpcCode, tokenExpired } from '../rpc/errors.js';
import { isId, type Message, type Params, type RequestMessage } from '../rpc/messages.js';
import type { ClientRequest } from '../rpc/method.js';
import type { Operation, ReceivedRequest } from '../rpc/operation.js';
import { checkParams } from '../rpc/param-limits.js';
import { whenExpired } from '../rpc/when-expired.js';
import { endSession } from './end-session.js';
import type { ReceiveDeps, RunDeps } from './endpoint.js';
import type { ClientRequests } from './requests/client-requests.js';
import { type Answerer, OpenRequest } from './requests/open-request.js';
import type { SessionMethod } from './requests/session-call.js';
import type { PostResponse } from './streams/post-response.js';

/** Handles a notification or a response, which get no answer. */
export async function receive(deps: ReceiveDeps, session: Session, message: Message): Promise<void> {
  // Without sessions, the sender of the request is unknown.
  if (!session.isStored) return;
  const { control, store, receiveResponse } = deps;
  if (message.kind === 'response') await receiveResponse(message.response, session);
  else if (message.kind === 'notification' && message.method === 'notifications/cancelled') {
    const requestId = message.params?.['requestId'];
    if (!isId(requestId)) return;
    const cancellation = { at: Date.now(), ...reasonIn(message.params) };
    // It is stored before it is published: a gateway that takes the stream over in between misses at most one of the two.
    await store.noteCancelled(session.id, requestId, cancellation);
    await control.publish({ type: 'request-cancelled', sessionId: session.id, requestId, ...cancellation });
  } else if (message.kind === 'notification' && message.method === 'exit') await endSession(deps, session);
}

/** Why the client cancels a request, if it says that in a text. */
function reasonIn(params: Params | undefined): { readonly reason?: string } {
  const reason = params?.['reason'];
  return typeof reason === 'string' && reason !== '' ? { reason: cutText(reason.toWellFormed(), FIELD_LIMITS.cancelReasonBytes) } : {};
}

/** A request in the form of reports. */
export function receivedIn(session: Session, request: Pick<ReceivedRequest, 'message' | 'headers' | 'receivedAt'>): ReceivedRequest {
  const { id: sessionId, isStored, owner, protocolVersion } = session;
  return { ...request, protocolVersion, owner, ...(isStored && { sessionId }) };
}

/** Begins to answer a request on the response. A waiting request can be cancelled, and notices when its client hangs up. */
export function runInSession(deps: RunDeps, sent: SessionRequest, response: PostResponse): void {
  const { methods, openRequests, clientRequests, patienceMs, logger } = deps;
  const { message, session } = sent;
  const request = new OpenRequest(message.id, response, sent.operation);
  if (methods.get(message.method)?.kind === 'waits') {
    openRequests.add(session.id, request);
    response.onClose((isResumable) => {
      // Any gateway can continue a request that waits for a task; only this process can continue one that runs here.
      if (isResumable && request.taskId === undefined) closeWhenForgotten(request, response);
      else request.leave(response);
    });
    response.onRefused(() => request.refuse());
    request.whenOver(whenExpired(session.auth, () => request.sendElsewhere(tokenExpired(request.taskId))));
    response.streamAfter(patienceMs);
  }
  void request.run(answererOf(methods.get(message.method), sent, clientRequests), logger);
}

/** The work continues for a client that may come back, but only for a limited time. */
function closeWhenForgotten(request: OpenRequest, response: PostResponse): void {
  const look = setInterval(() => void closeIfForgotten(), UNFINISHED_TTL_MS).unref();
  request.whenOver(() => clearInterval(look));
  const closeIfForgotten = async (): Promise<void> => {
    const isForgotten = await response.isForgotten().catch(() => false); // The store is unreachable: look again later.
    if (isForgotten) request.close();
  };
}

/** A request with its session. */
export interface SessionRequest {
  readonly message: RequestMessage;
  readonly session: Session;
  readonly operation: Operation;
}

/** Runs the method of a request; a request for an unknown method gets an error. */
function answererOf(
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
 * Starts a method without effects before it is known whether the session exists, so that both reads are one round trip. The caller must not
 * use the answer unless the session exists.
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
  // If the session is missing, the answer is dropped.
  answer.catch(() => undefined);
  return answer;
}
