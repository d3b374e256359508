/**
 * POST /mcp: one JSON-RPC message in, its answer out. Whatever is refused here is thrown, and becomes
 * an HTTP error with a JSON-RPC body; from the moment that an exchange runs, it answers itself.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { classifyInboundRequest, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticatedRequest } from '../auth/authenticate.js';
import { failureOf, Refusal, refusalOf, RpcCode, SESSION_SHUT_DOWN, SHUTTING_DOWN } from '../errors.js';
import { GENERATION } from '../generation-2026/request-call.js';
import { initialize } from '../methods/initialize.js';
import { answerEarly, answererOf } from './answerer.js';
import { postBatch } from './batch.js';
import type { Endpoint } from './endpoint.js';
import { sendAnswer } from './exchange.js';
import { sessionIdOf, traceOf } from './header-checks.js';
import { errorAnswer, readMessage, type RequestMessage } from './messages.js';
import { PostResponse } from './post-response.js';
import { receive, runInSession } from './session-messages.js';
import { sessionOf } from './session-of.js';

export function postRoute(endpoint: Endpoint): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  return async (request, reply) => {
    const { body, headers, raw } = request;
    const { auth } = raw as AuthenticatedRequest;
    if (isModern(headers, body)) {
      if (endpoint.isDraining()) throw refusalOf(SHUTTING_DOWN);
      return endpoint.generation2026.serve(raw, reply.hijack().raw, body);
    }
    if (Array.isArray(body)) return postBatch(endpoint, body, request, reply);
    const message = readMessage(body);
    if (message.kind === 'invalid') throw new Refusal(400, RpcCode.InvalidRequest, message.reason);
    if (message.kind === 'request') checkDraining(endpoint, message);
    if (message.kind === 'request' && message.method === 'initialize' && (endpoint.isStateless || sessionIdOf(headers) === undefined))
      return openSession(endpoint, message, auth, reply);
    const { loading, owner } = sessionOf(endpoint, raw);
    if (message.kind !== 'request') {
      await receive(endpoint, await loading, message);
      return reply.code(202).send();
    }
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

/**
 * Whether the request is one of revision 2026-07-28, or has to be refused by its rules. Sessions are of the other
 * generation; the id of one on a request that names this revision means nothing.
 */
function isModern(headers: IncomingHttpHeaders, body: unknown): boolean {
  if (headers['mcp-session-id'] !== undefined && headers['mcp-protocol-version'] !== GENERATION && !namesRevision(body)) return false;
  if (isPlainlyModern(headers, body)) return true;
  const outcome = classifyInboundRequest({ httpMethod: 'POST', body, ...standardHeaders(headers) });
  // Whatever version it asks for in whichever place, `initialize` is the other generation's, which offers the one that it has.
  return outcome.kind === 'modern' || (outcome.kind === 'reject' && methodOf(body) !== 'initialize');
}

/** Most requests of that revision, found without a look at their metadata: the SDK looks at that again, and refuses what is wrong. */
function isPlainlyModern(headers: IncomingHttpHeaders, body: unknown): boolean {
  if (headers['mcp-protocol-version'] !== GENERATION || typeof body !== 'object' || body === null) return false;
  const method = methodOf(body);
  return typeof method === 'string' && method !== 'initialize' && !('result' in body) && !('error' in body);
}

/** Whether the metadata of a message names a revision, as only messages of the newer generation do. */
function namesRevision(body: unknown): boolean {
  const { params } = (body ?? {}) as { readonly params?: { readonly _meta?: Readonly<Record<string, unknown>> | null } | null };
  return params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined;
}

function methodOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'method' in body ? body.method : undefined;
}

function standardHeaders(headers: IncomingHttpHeaders): Partial<Parameters<typeof classifyInboundRequest>[0]> {
  const { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': name } = headers;
  return {
    ...(typeof version === 'string' && { protocolVersionHeader: version }),
    ...(typeof method === 'string' && { mcpMethodHeader: method }),
    ...(typeof name === 'string' && { mcpNameHeader: name }),
  };
}

/** While the process ends, requests that only read are answered; what waits or changes something is better off elsewhere. */
function checkDraining({ isDraining, methods }: Endpoint, { method }: RequestMessage): void {
  if (isDraining() && methods.get(method)?.kind !== 'reads') throw refusalOf(SHUTTING_DOWN);
}

async function openSession(
  { sessions, isStateless, introduction, logger }: Endpoint,
  { id, params }: RequestMessage,
  auth: AuthInfo | undefined,
  reply: FastifyReply,
): Promise<FastifyReply> {
  try {
    const { sessionId, result } = await initialize(params, introduction, isStateless ? undefined : sessions, auth);
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
