/** The MCP endpoint of the Streamable HTTP transport: POST for messages, GET for the standalone stream or to resume any other one, DELETE to end the session. */
import { addressAccount, remembered } from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';
import { type AuthenticatedRequest, CALLER_SECRET_HEADER, ownerOfSecret } from '../rpc/caller.js';
import { networkOf } from '../rpc/network-of.js';
import { Refusal, refusalOf, RpcCode, SHUTTING_DOWN } from '../rpc/errors.js';
import { endSession } from '../generation-2025/end-session.js';
import type { Session } from '../state/session.js';
import { allowPage } from './cors.js';
import type { Endpoint } from '../generation-2025/endpoint.js';
import { checkPostTypes, checkStreamType, loadSession, requireSessionId, sessionNotFound } from '../generation-2025/header-checks.js';
import { held } from '../rpc/held-request.js';
import type { HostCheck } from './host-check.js';
import { parseJsonBody } from './json-body.js';
import { postRoute } from './post-route.js';

export const MCP_PATH = '/mcp';

const REMEMBERED_ADDRESSES = 1_000;

/** Each request asks for that of its address. */
const accountOfAddress = remembered(REMEMBERED_ADDRESSES, (address) => addressAccount(networkOf(address)));

/** @param app a scope of its own: what is set on it holds for the endpoint only */
export function registerMcpRoutes(app: FastifyInstance, endpoint: Endpoint, checkHost: HostCheck): void {
  app.addHook('onRequest', (request, reply, done) => {
    checkHost(request.raw);
    // A browser sends no credentials with its preflight.
    if (allowPage(request, reply)) return void reply.code(204).send();
    const raw = request.raw as AuthenticatedRequest;
    raw.addressAccount = accountOfAddress(request.ip ?? '');
    const secretOwner = ownerOfSecret(request.headers[CALLER_SECRET_HEADER]);
    if (secretOwner !== undefined) raw.secretOwner = secretOwner;
    if (endpoint.authenticate !== undefined) raw.auth = endpoint.authenticate(request.headers.authorization);
    if (request.method === 'POST') checkPostTypes(request.headers);
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
    try {
      // Only a POST has a body that means something.
      done(null, request.method === 'POST' ? parseJsonBody(text as string) : undefined);
    } catch (error) {
      done(error as Error);
    }
  });

  app.post(MCP_PATH, postRoute(endpoint));

  if (!endpoint.isStateless) registerSessionRoutes(app, endpoint);

  app.route({
    method: ['HEAD', 'PUT', 'PATCH', 'OPTIONS', ...(endpoint.isStateless ? ['GET', 'DELETE'] : [])],
    url: MCP_PATH,
    exposeHeadRoute: false,
    handler(_request, reply) {
      reply.header('allow', endpoint.isStateless ? 'POST' : 'GET, POST, DELETE');
      throw new Refusal(405, RpcCode.Transport, 'Method not allowed.');
    },
  });
}

/** The stream of a session, and its end. */
function registerSessionRoutes(app: FastifyInstance, endpoint: Endpoint): void {
  const { sessions, standalone, resume, closing } = endpoint;
  app.get(MCP_PATH, { exposeHeadRoute: false }, async ({ headers, raw }, reply) => {
    checkStreamType(headers);
    const load = async (): Promise<Session> => {
      const session = await loadSession(sessions, requireSessionId(headers), raw as AuthenticatedRequest);
      if (closing.aborted) throw refusalOf(SHUTTING_DOWN);
      return session;
    };
    const lastEventId = headers['last-event-id'];
    if (typeof lastEventId !== 'string') return standalone.open(await load(), reply);
    await held(endpoint, reply.raw, async () => resume(await load(), lastEventId, reply));
  });

  app.delete(MCP_PATH, async ({ headers, raw }, reply) => {
    const { id } = await loadSession(sessions, requireSessionId(headers), raw as AuthenticatedRequest);
    if (!(await endSession(endpoint, id))) throw sessionNotFound();
    return reply.code(200).send();
  });
}
