/**
 * Receives one JSON-RPC message, and sends its answer. A refusal here is thrown, and becomes an HTTP error with a JSON-RPC body; once its
 * method runs, a request sends its own answer.
 */
import { toWireJson } from '@longhaul/tasks/text';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticatedRequest, Identity } from '../rpc/caller.js';
import { failureOf, Refusal, refusalOf, RpcCode, SESSION_SHUT_DOWN, SHUTTING_DOWN } from '../rpc/errors.js';
import { held } from '../rpc/held-request.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { acceptedForms } from '../rpc/accepted-forms.js';
import { type ReceivedRequest } from '../rpc/operation.js';
import { errorAnswer, readMessage, type RequestMessage } from '../rpc/messages.js';
import { answerEarly, receive, receivedIn, runInSession } from './session-messages.js';
import { postBatch } from './batch.js';
import type { Endpoint } from './endpoint.js';
import { sessionIdOf, sessionOf } from './header-checks.js';
import { initialize } from './methods/initialize.js';
import { sendAnswer } from './requests/open-request.js';
import { PostResponse } from './streams/post-response.js';
import { eventOf, SSE_HEADERS } from '../streams/sse-writer.js';

export function createPost(endpoint: Endpoint): (request: FastifyRequest, reply: FastifyReply, body: unknown) => Promise<unknown> {
  return async (request, reply, body) => {
    const { headers, raw } = request;
    const receivedAt = Date.now();
    if (Array.isArray(body)) return postBatch(endpoint, body, request, reply);
    const message = readMessage(body);
    if (message.kind === 'invalid') throw new Refusal(400, RpcCode.InvalidRequest, message.reason);
    if (message.kind === 'request') checkDraining(endpoint, message);
    if (message.kind === 'request' && message.method === 'initialize' && (endpoint.isStateless || sessionIdOf(headers) === undefined))
      return openSession(
        endpoint,
        { message, headers, protocolVersion: LATEST_PROTOCOL_VERSION, receivedAt },
        raw as AuthenticatedRequest,
        reply,
      );
    if (message.kind !== 'request') {
      await held(endpoint, reply.raw, async () => receive(endpoint, await sessionOf(endpoint, raw).loading, message));
      return reply.code(202).send();
    }
    const { loading, caller } = sessionOf(endpoint, raw);
    const method = endpoint.methods.get(message.method);
    const early = answerEarly(method, message, caller);
    const session = await loading;
    if (session.isShutDown === true) throw refusalOf(SESSION_SHUT_DOWN);
    if (message.method === 'initialize') throw new Refusal(400, RpcCode.InvalidRequest, 'Invalid Request: Server already initialized');
    const response = new PostResponse(reply.hijack().raw, {
      requestIds: [message.id],
      isBatch: false,
      forms: acceptedForms(headers.accept),
      source: endpoint.streams.sourceFor(session),
    });
    const operation = endpoint.reports.begin(receivedIn(session, { message, headers, receivedAt }));
    if (early !== undefined) return sendAnswer({ id: message.id, operation }, early, response, endpoint.logger);
    runInSession(endpoint, { message, session, operation }, response);
    return undefined;
  };
}

/** While the process ends, requests that only read are answered; requests that wait or change something should go to another gateway. */
function checkDraining({ closing, methods }: Endpoint, { method }: RequestMessage): void {
  if (closing.aborted && methods.get(method)?.kind !== 'reads') throw refusalOf(SHUTTING_DOWN);
}

/** In the form that the client accepts. */
function sendOpened(reply: FastifyReply, message: object): FastifyReply {
  if (acceptedForms(reply.request.headers.accept).json) return reply.send(message);
  return reply.headers(SSE_HEADERS).send(eventOf(toWireJson(message)));
}

async function openSession(
  { sessions, isStateless, introduce, admitSession, clearSession, reports, logger }: Endpoint,
  received: ReceivedRequest,
  identity: Identity,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { id, params } = received.message;
  await identity.counted?.();
  const operation = reports.begin(received);
  try {
    const opening = isStateless
      ? undefined
      : { sessions, admit: (sessionId: string, bytes: number) => admitSession(identity, sessionId, bytes), release: clearSession };
    const { sessionId, result } = await initialize(params, introduce, opening, identity);
    if (sessionId !== undefined) reply.header('mcp-session-id', sessionId);
    if (sessionId !== undefined) reports.sessionOpened();
    operation.end({ result });
    return await sendOpened(reply, { jsonrpc: '2.0', id, result });
  } catch (error) {
    const failure = failureOf(error, logger);
    operation.end({ error: failure });
    reply.code(failure.httpStatus).headers(failure.headers ?? {});
    return failure.httpStatus === 200 ? sendOpened(reply, errorAnswer(id, failure)) : reply.send(errorAnswer(id, failure));
  }
}
