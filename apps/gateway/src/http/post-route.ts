/**
 * POST /mcp: one JSON-RPC message in, its answer out. Whatever is refused here is thrown, and becomes
 * an HTTP error with a JSON-RPC body; from the moment that its method runs, it answers itself.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticatedRequest, Identity } from '../rpc/caller.js';
import { failureOf, Refusal, refusalOf, RpcCode, SESSION_SHUT_DOWN, SHUTTING_DOWN } from '../rpc/errors.js';
import { isOf2026 } from '../generation-2026/is-of-2026.js';
import { initialize } from '../generation-2025/methods/initialize.js';
import { answerEarly, answererOf } from '../generation-2025/answerer.js';
import { postBatch } from '../generation-2025/batch.js';
import type { Endpoint } from '../generation-2025/endpoint.js';
import { sendAnswer } from '../generation-2025/open-request.js';
import { sessionIdOf } from '../generation-2025/header-checks.js';
import { traceOf } from '../rpc/trace.js';
import { held } from '../rpc/held-request.js';
import { errorAnswer, readMessage, requestIdOf, type RequestMessage } from '../rpc/messages.js';
import { PostResponse } from '../generation-2025/streams/post-response.js';
import { receive, runInSession } from '../generation-2025/session-messages.js';
import { sessionOf } from '../generation-2025/session-of.js';

export function postRoute(endpoint: Endpoint): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  return async (request, reply) => {
    const { body, headers, raw } = request;
    // Fastify keeps its request for as long as the answer takes, which may be that of a stream. A refusal needs no more of it.
    request.body = { id: requestIdOf(body) };
    if (isOf2026(headers, body)) {
      if (endpoint.closing.aborted) throw refusalOf(SHUTTING_DOWN);
      return endpoint.generation2026.serve(raw, reply.hijack().raw, body);
    }
    if (Array.isArray(body)) return postBatch(endpoint, body, request, reply);
    const message = readMessage(body);
    if (message.kind === 'invalid') throw new Refusal(400, RpcCode.InvalidRequest, message.reason);
    if (message.kind === 'request') checkDraining(endpoint, message);
    if (message.kind === 'request' && message.method === 'initialize' && (endpoint.isStateless || sessionIdOf(headers) === undefined))
      return openSession(endpoint, message, raw as AuthenticatedRequest, reply);
    if (message.kind !== 'request') {
      await held(endpoint, reply.raw, async () => receive(endpoint, await sessionOf(endpoint, raw).loading, message));
      return reply.code(202).send();
    }
    const { loading, owner } = sessionOf(endpoint, raw);
    const method = endpoint.methods.get(message.method);
    const early = answerEarly(method, message, owner);
    const session = await loading;
    if (session.isShutDown === true) throw refusalOf(SESSION_SHUT_DOWN);
    if (message.method === 'initialize') throw new Refusal(400, RpcCode.InvalidRequest, 'Invalid Request: Server already initialized');
    const response = new PostResponse(reply.hijack().raw, {
      requestIds: [message.id],
      isBatch: false,
      source: endpoint.streams.sourceFor(session),
    });
    if (early !== undefined) return sendAnswer(message.id, early, response, endpoint.logger);
    const answerer = answererOf(method, { message, session, trace: traceOf(headers) });
    return runInSession(endpoint, session, message, answerer, response);
  };
}

/** While the process ends, requests that only read are answered; what waits or changes something is better off elsewhere. */
function checkDraining({ closing, methods }: Endpoint, { method }: RequestMessage): void {
  if (closing.aborted && methods.get(method)?.kind !== 'reads') throw refusalOf(SHUTTING_DOWN);
}

async function openSession(
  { sessions, isStateless, introduction, admitSession, logger }: Endpoint,
  { id, params }: RequestMessage,
  identity: Identity,
  reply: FastifyReply,
): Promise<FastifyReply> {
  try {
    const opening = isStateless ? undefined : { sessions, admit: (bytes: number) => admitSession(identity, bytes) };
    const { sessionId, result } = await initialize(params, introduction, opening, identity.auth);
    if (sessionId !== undefined) reply.header('mcp-session-id', sessionId);
    return await reply.send({ jsonrpc: '2.0', id, result });
  } catch (error) {
    const failure = failureOf(error, logger);
    return reply
      .code(failure.httpStatus)
      .headers(failure.headers ?? {})
      .send(errorAnswer(id, failure));
  }
}
