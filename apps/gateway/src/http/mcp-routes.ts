/** The MCP endpoint of the Streamable HTTP transport: POST for messages, GET for the standalone stream or to resume any other one, DELETE to end the session. */
import type { IncomingMessage } from 'node:http';
import { addressAccount, remembered } from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';
import { type Authenticate, type AuthenticatedRequest, CALLER_SECRET_HEADER, ownerOfSecret } from '../rpc/caller.js';
import { networkOf } from '../rpc/network-of.js';
import { Refusal, refusalOf, RpcCode, SHUTTING_DOWN } from '../rpc/errors.js';
import type { RequestScopes } from '../rpc/request-scopes.js';
import type { Challenges } from '../rpc/challenges.js';
import { holdsScopes } from '../rpc/scopes.js';
import type { ScopesOfTasks } from '../rpc/tasks/scoped-tasks.js';
import type { Principal } from '../state/requester.js';
import { allowPage } from './cors.js';
import { checkPostTypes } from '../generation-2025/header-checks.js';
import type { Generation2025 } from '../generation-2025/generation-2025.js';
import type { Generation2026 } from '../generation-2026/generation-2026.js';
import { inboundOf } from '../generation-2026/requests/inbound.js';
import { requestIdOf } from '../rpc/messages.js';
import type { HostCheck } from './host-check.js';
import { parseJsonBody } from './json-body.js';

export const MCP_PATH = '/mcp';

const REMEMBERED_ADDRESSES = 1_000;

/** Each request asks for that of its address. */
const accountOfAddress = remembered(REMEMBERED_ADDRESSES, (address) => addressAccount(networkOf(address)));

/** Who answers, and who is let in. */
export interface McpRoutesDeps {
  readonly generation2025: Generation2025;
  readonly generation2026: Generation2026;
  /** Who makes a request; absent where everyone is let in. */
  readonly authenticate: Authenticate | undefined;
  /** What requests need of the caller's token. */
  readonly requestScopes: RequestScopes;
  readonly challenges: Challenges;
  readonly scopesOfTasks: ScopesOfTasks;
  readonly checkHost: HostCheck;
  /** Aborts when the process is about to end. */
  readonly closing: AbortSignal;
}

/** @param app a scope of its own: what is set on it holds for the endpoint only */
export function registerMcpRoutes(
  app: FastifyInstance,
  { generation2025, generation2026, authenticate, requestScopes, challenges, scopesOfTasks, checkHost, closing }: McpRoutesDeps,
): void {
  const { isStateless } = generation2025;
  app.addHook('onRequest', (request, reply, done) => {
    checkHost(request.raw);
    // A browser sends no credentials with its preflight.
    if (allowPage(request, reply)) return void reply.code(204).send();
    const raw = request.raw as AuthenticatedRequest;
    raw.addressAccount = accountOfAddress(request.ip ?? '');
    const secretOwner = ownerOfSecret(request.headers[CALLER_SECRET_HEADER]);
    if (secretOwner !== undefined) raw.secretOwner = secretOwner;
    const admit = (auth?: Principal): void => {
      if (auth !== undefined) raw.auth = auth;
      if (request.method === 'POST') checkPostTypes(request.headers);
    };
    const found = authenticate?.(raw);
    if (found instanceof Promise) {
      found.then(admit).then(
        () => done(),
        (error: unknown) => done(error as Error),
      );
    } else {
      admit(found);
      done();
    }
  });
  /**
   * What a caller's token does not allow. It is decided here only, for all protocol versions, before anything is opened, created or
   * begun. @returns nothing for what is allowed; otherwise what rejects with a refusal that names all that is needed
   */
  const refusedFor = (raw: IncomingMessage, needed: readonly string[], taskIds: readonly string[] = []): Promise<never> | undefined => {
    const request = raw as AuthenticatedRequest;
    const { auth } = request;
    request.neededScopes = needed;
    return auth === undefined || holdsScopes(auth, needed) ? undefined : refuse(auth, needed, taskIds);
  };
  const refuse = async (auth: Principal, needed: readonly string[], taskIds: readonly string[]): Promise<never> => {
    const ofTasks = await scopesOfTasks(taskIds, auth.owner);
    throw challenges.insufficient([...new Set([...needed, ...ofTasks])]);
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
    try {
      // Only a POST has a body that means something.
      done(null, request.method === 'POST' ? parseJsonBody(text as string) : undefined);
    } catch (error) {
      done(error as Error);
    }
  });

  app.post(MCP_PATH, (request, reply) => {
    const { body, headers, raw } = request;
    // Fastify keeps its request for as long as the answer takes, which may be that of a stream. A refusal needs no more of it.
    request.body = { id: requestIdOf(body) };
    const refused = isLimited(raw) ? refusedFor(raw, requestScopes.ofBody(body), requestScopes.tasksOf(body)) : undefined;
    if (refused !== undefined) return refused;
    const inbound = inboundOf(headers, body);
    if (inbound === undefined) return generation2025.post(request, reply, body);
    if (closing.aborted) throw refusalOf(SHUTTING_DOWN);
    return generation2026.serve(inbound, raw, reply.hijack().raw, body);
  });
  if (!isStateless) {
    app.get(
      MCP_PATH,
      { exposeHeadRoute: false },
      (request, reply) => refusedFor(request.raw, requestScopes.ofListening) ?? generation2025.get(request, reply),
    );
    app.delete(MCP_PATH, (request, reply) => refusedFor(request.raw, requestScopes.ofAll) ?? generation2025.delete(request, reply));
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

/** Whether the caller's token has scopes, so that it does not allow everything. */
function isLimited(raw: IncomingMessage): boolean {
  return (raw as AuthenticatedRequest).auth?.scopes !== undefined;
}
