import type { FeatureRegistry } from '@longhaul/mcp-features';
import type { Backend } from '@longhaul/sessions';
import type { TaskService } from '@longhaul/tasks';
import { fastify, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Authenticate } from './auth/authenticate.js';
import { buildEndpoint } from './build-endpoint.js';
import { type ConnectionLimits, limitConnections, serverOptions } from './connection-limits.js';
import { RpcCode } from './errors.js';
import type { GatewayState } from './gateways/gateway-state.js';
import { registerHealthRoutes } from './health-routes.js';
import { IdleConnections } from './idle-connections.js';
import type { SessionStore } from './sessions/session.js';
import { createHostCheck, type HostCheckOptions } from './transport/host-check.js';
import { httpErrorHandler, sendFailure } from './transport/http-errors.js';
import { MCP_PATH, registerMcpRoutes } from './transport/mcp-routes.js';

/** What a gateway is built from. Whatever was opened for it stays its caller's to close. */
export interface GatewayDeps {
  readonly tasks: TaskService;
  readonly sessions: SessionStore;
  /** What features remember of sessions and tell them, and where session jobs are put. */
  readonly backend: Pick<Backend, 'sessionState' | 'sessionNotifications' | 'queue'>;
  /** What it shares with the other gateways. */
  readonly state: GatewayState;
  readonly features: FeatureRegistry;
  /** Who makes a request; without it everyone is let in. */
  readonly authenticate?: Authenticate;
  /** Signs the ids of requests to clients, and seals `requestState`; the same in all gateways of a deployment. */
  readonly secret: string;
  /** What these have signed or sealed is still taken. */
  readonly oldSecrets?: readonly string[];
  readonly logger: Logger;
  /** Resolves when the store answers and has room. */
  readonly ping: () => Promise<void>;
  readonly settings: GatewaySettings;
}

/** Limits and times. */
export interface GatewaySettings extends HostCheckOptions {
  readonly bodyLimitBytes: number;
  /** Longest retention that a client may ask for. */
  readonly maxTtlMs: number;
  /** Whether to do without sessions. Default: false. */
  readonly isStateless?: boolean;
  /** Entries of a page of a list. Default 100. */
  readonly pageSize?: number;
  /** Whether nothing stands between client and gateway that would act on what headers repeat of arguments. Default: false. */
  readonly isDirect?: boolean;
  /** Event streams that a session may have open at the same time. Default 16. */
  readonly maxOpenStreams?: number;
  /** Sessions that one caller may open in an hour, or one address where callers are not known. Default 2,000. */
  readonly sessionsPerHour?: number;
  /** Proxies in front of the gateway, each of which adds an address to `X-Forwarded-For`. Default 0. */
  readonly proxyHops?: number;
  /** How long a `requestState` holds, and what came of its call is known. Default an hour. */
  readonly stateMs?: number;
  /** Streams of `subscriptions/listen` that one caller, or one address, may have open at this gateway. Default 64. */
  readonly listenStreams?: number;
  /** How slow clients may be, and how many. */
  readonly connections?: ConnectionLimits;
  /** What the server is called. Default `longhaul`. */
  readonly serverName?: string;
  /** What clients are told of how to use the server. */
  readonly instructions?: string | undefined;
  /** How long a request of revision 2026-07-28 waits for the task behind it. Default 45,000. */
  readonly syncWaitMs?: number;
  /** Silence after which a waiting request's response becomes an event stream. Default 1,000. */
  readonly patienceMs?: number;
  /** Time between two signs of life on an event stream. Default 15,000. */
  readonly keepAliveMs?: number;
  /** How long calls of this process may go on after a request to stop, whose clients are not connected here. Default 0. */
  readonly drainMs?: number;
}

/**
 * The gateway, not yet listening. Closing it sends those who wait for tasks to other gateways, and lets
 * the other requests finish.
 */
export function buildGateway(deps: GatewayDeps): FastifyInstance {
  const { ping, settings, logger } = deps;
  const { bodyLimitBytes, drainMs = 0, proxyHops = 0, connections = {} } = settings;
  // Requests on connections that are open still are answered while it closes: by the routes, which know which ones.
  const app = fastify({
    bodyLimit: bodyLimitBytes,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: (_address, hop) => hop < proxyHops,
    ...serverOptions(connections),
  });
  limitConnections(app.server, connections, { bodyLimitBytes, proxyHops, logger });
  const idleConnections = new IdleConnections(app.server);
  const closing = new AbortController();
  let drainedBy = Infinity;
  const { endpoint, presence, requests, generation2026, listChanges } = buildEndpoint(deps, closing.signal);
  const { streams, exchanges, control } = endpoint;

  app.addHook('onReady', async () => {
    await Promise.all([presence.start(), control.start(), generation2026.start()]);
  });
  // Not before clients can read the lists here.
  app.addHook('onListen', () => listChanges.start());
  app.addHook('preClose', (done) => {
    closing.abort();
    drainedBy = performance.now() + drainMs;
    streams.sayGoodbye();
    exchanges.drain();
    void generation2026.sayGoodbye();
    idleConnections.drop();
    done();
  });
  app.addHook('onClose', async () => {
    // Their connections are closed. What still runs has its client at another gateway, or expects it back there.
    await exchanges.whenNoneIsLeft(drainedBy - performance.now());
    streams.stop();
    control.stop();
    requests.stop();
    await generation2026.stop();
    await listChanges.stop();
    await presence.stop();
  });
  app.setErrorHandler(httpErrorHandler(logger, bodyLimitBytes));
  app.setNotFoundHandler((_request, reply) =>
    sendFailure(reply, { httpStatus: 404, code: RpcCode.Transport, message: `Not found. The MCP endpoint is ${MCP_PATH}.` }),
  );
  registerHealthRoutes(app, { ping, isDraining: () => closing.signal.aborted });
  app.register((scope, _options, done) => {
    registerMcpRoutes(scope, endpoint, createHostCheck(settings));
    done();
  });
  return app;
}
