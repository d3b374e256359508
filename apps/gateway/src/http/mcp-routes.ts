/**
 * Registers the MCP endpoint of the Streamable HTTP transport: POST for messages, GET for the standalone stream or to resume any other one,
 * DELETE to end the session.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { Refusal, refusalOf, RpcCode, SHUTTING_DOWN } from '../rpc/errors.js';
import type { AuthenticatedRequest } from '../rpc/caller.js';
import type { Generation2025 } from '../generation-2025/generation-2025.js';
import type { Generation2026 } from '../generation-2026/generation-2026.js';
import { inboundOf } from '../generation-2026/requests/inbound.js';
import { requestIdOf, requestsIn } from '../rpc/messages.js';
import type { Allowance } from './allowance.js';
import { type BodyLimits, readJsonBodies } from './read-body.js';
import type { CountRequests } from './request-limits.js';

export const MCP_PATH = '/mcp';

/** The generations that answer, and the access check. */
export interface McpRoutesDeps {
  readonly generation2025: Generation2025;
  readonly generation2026: Generation2026;
  /** Lets a request in, or refuses it. */
  readonly admit: onRequestHookHandler;
  /** Checks what the callers' tokens allow. */
  readonly allowance: Allowance;
  /** Counts requests against the callers' limits. */
  readonly countRequests: CountRequests;
  /** The limits of a body's content, and of all bodies together. */
  readonly bodyLimits: BodyLimits;
  /** Aborts when the process is about to end. */
  readonly closing: AbortSignal;
}

/** @param app a separate scope: settings on it apply only to the endpoint */
export function registerMcpRoutes(
  app: FastifyInstance,
  { generation2025, generation2026, admit, allowance, countRequests, closing, bodyLimits }: McpRoutesDeps,
): void {
  const { isStateless } = generation2025;
  app.addHook('onRequest', admit);
  readJsonBodies(app, bodyLimits);

  const count = (raw: IncomingMessage, messages: number): void => {
    const request = raw as AuthenticatedRequest;
    request.counted = countRequests(request, messages);
  };

  app.post(MCP_PATH, (request, reply) => {
    const { body, headers, raw } = request;
    count(raw, requestsIn(body));
    // Fastify keeps its request until the answer ends, which may last as long as a stream. A refusal needs only this part.
    request.body = { id: requestIdOf(body) };
    const inbound = inboundOf(headers, body);
    const refused = allowance.ofPost(raw, body, inbound === undefined ? '2025-11-25' : '2026-07-28');
    if (refused !== undefined) return refused;
    if (inbound === undefined) return generation2025.post(request, reply, body);
    if (closing.aborted) throw refusalOf(SHUTTING_DOWN);
    return generation2026.serve(inbound, raw, reply.hijack().raw, body);
  });
  if (!isStateless) {
    app.get(MCP_PATH, { exposeHeadRoute: false }, (request, reply) => {
      count(request.raw, 1);
      return allowance.ofGet(request.raw) ?? generation2025.get(request, reply);
    });
    app.delete(MCP_PATH, (request, reply) => {
      count(request.raw, 1);
      return allowance.ofDelete(request.raw) ?? generation2025.delete(request, reply);
    });
  }

  app.route({
    method: ['HEAD', 'PUT', 'PATCH', 'OPTIONS', ...(isStateless ? ['GET', 'DELETE'] : [])],
    url: MCP_PATH,
    exposeHeadRoute: false,
    handler(_request, reply) {
      reply.header('allow', isStateless ? 'POST' : 'GET, POST, DELETE');
      throw new Refusal(405, RpcCode.Transport, 'Method not allowed.');
    },
  });
}
