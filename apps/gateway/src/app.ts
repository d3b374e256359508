import type { FeatureRegistry } from '@longhaul/mcp-features';
import type { SessionState, TaskService } from '@longhaul/tasks';
import type { Server } from 'node:http';
import { fastify, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { StreamClaims } from './claims/stream-claims.js';
import { RpcCode, SESSION_ENDED } from './errors.js';
import { Control } from './gateways/control.js';
import type { GatewayState } from './gateways/gateway-state.js';
import { Presence } from './gateways/presence.js';
import { createInputIds } from './generation-2025/input-ids.js';
import { registerHealthRoutes } from './health-routes.js';
import { createFollowTask } from './methods/follow-task.js';
import { methodTable } from './methods/method-table.js';
import { createTellNews } from './methods/news-teller.js';
import { createReceiveAnswer } from './methods/receive-answer.js';
import type { SessionStore } from './sessions/session.js';
import type { Endpoint } from './transport/endpoint.js';
import { createHostCheck, type HostCheckOptions } from './transport/host-check.js';
import { httpErrorHandler, sendFailure } from './transport/http-errors.js';
import { MCP_PATH, registerMcpRoutes } from './transport/mcp-routes.js';
import { OpenExchanges } from './transport/open-exchanges.js';
import { leaseMsOf, OpenStreams } from './transport/open-streams.js';
import { createResumeStream } from './transport/resume-stream.js';
import { StandaloneStreams } from './transport/standalone-streams.js';

/** What a gateway is built from. Whatever was opened for it stays its caller's to close. */
export interface GatewayDeps {
  readonly tasks: TaskService;
  readonly sessions: SessionStore;
  /** What features remember of a session; it ends with the session. */
  readonly sessionState: SessionState;
  /** What it shares with the other gateways. */
  readonly state: GatewayState;
  readonly features: FeatureRegistry;
  /** Signs the ids of requests to clients; the same in all gateways of a deployment. */
  readonly secret: string;
  readonly logger: Logger;
  /** Resolves when the store answers. */
  readonly ping: () => Promise<void>;
  readonly settings: GatewaySettings;
}

/** Limits and times. */
export interface GatewaySettings extends HostCheckOptions {
  readonly bodyLimitBytes: number;
  /** Longest retention that a client may ask for. */
  readonly maxTtlMs: number;
  /** Silence after which a waiting request's response becomes an event stream. Default 1,000. */
  readonly patienceMs?: number;
  /** Time between two signs of life on an event stream. Default 15,000. */
  readonly keepAliveMs?: number;
}

const PATIENCE_MS = 1_000;
/** Shorter than the silence after which proxies commonly give up on a response. */
const KEEP_ALIVE_MS = 15_000;

/**
 * The gateway, not yet listening. Closing it sends those who wait for tasks to other gateways, and lets
 * the other requests finish.
 */
export function buildGateway(deps: GatewayDeps): FastifyInstance {
  const { ping, settings, logger } = deps;
  const { bodyLimitBytes } = settings;
  // Requests on connections that are open still are answered while it closes: by the routes, which know which ones.
  const app = fastify({ bodyLimit: bodyLimitBytes, forceCloseConnections: 'idle', return503OnClosing: false });
  let isDraining = false;
  const { endpoint, presence } = buildEndpoint(deps, () => isDraining);
  const { streams, exchanges, control } = endpoint;

  app.addHook('onReady', async () => {
    await Promise.all([presence.start(), control.start()]);
  });
  app.addHook('preClose', (done) => {
    isDraining = true;
    streams.sayGoodbye();
    exchanges.drain();
    if (app.server.listening) dropIdleConnections(app.server);
    done();
  });
  app.addHook('onClose', async () => {
    streams.stop();
    control.stop();
    await presence.stop();
  });
  app.setErrorHandler(httpErrorHandler(logger, bodyLimitBytes));
  app.setNotFoundHandler((_request, reply) =>
    sendFailure(reply, { httpStatus: 404, code: RpcCode.Transport, message: `Not found. The MCP endpoint is ${MCP_PATH}.` }),
  );
  registerHealthRoutes(app, { ping, isDraining: () => isDraining });
  app.register((scope, _options, done) => {
    registerMcpRoutes(scope, endpoint, createHostCheck(settings));
    done();
  });
  return app;
}

function buildEndpoint(
  { tasks, sessions, sessionState, state, features, secret, logger, settings }: GatewayDeps,
  isDraining: () => boolean,
): { readonly endpoint: Endpoint; readonly presence: Presence } {
  const { maxTtlMs, patienceMs = PATIENCE_MS, keepAliveMs = KEEP_ALIVE_MS } = settings;
  const { streams: store, signals, controlChannel: channel } = state;
  const inputIds = createInputIds(secret);
  const presence = new Presence(state.heartbeats, logger);
  const claims = new StreamClaims({ store: state.claims, presence, leaseMs: leaseMsOf(keepAliveMs), logger });
  const exchanges = new OpenExchanges();
  const streams = new OpenStreams({ store, claims, presence, sessions, logger, keepAliveMs });
  const endSession = (sessionId: string): void => {
    streams.endSession(sessionId);
    exchanges.endSession(sessionId, SESSION_ENDED);
  };
  streams.onSessionGone = endSession;
  const control = new Control({ signals, channel, logger }, (message) => {
    if (message.type === 'session-ended') endSession(message.sessionId);
    else exchanges.cancel(message.sessionId, message.requestId);
  });
  const tellNews = createTellNews(tasks, sessions);
  const following = { tasks, tellNews, claims, inputIds, logger };
  const follow = createFollowTask(following);
  const standalone = new StandaloneStreams({ store, presence, streams, feed: following });
  const endpoint: Endpoint = {
    sessions,
    methods: methodTable({ features, tasks, sessions, follow, maxTtlMs }),
    receiveAnswer: createReceiveAnswer(tasks, inputIds, logger),
    exchanges,
    store,
    streams,
    standalone,
    resume: createResumeStream({ store, presence, streams, standalone, exchanges, tasks, follow, logger }),
    control,
    clearSession: (sessionId) => sessionState.clear(sessionId),
    logger,
    patienceMs,
    isDraining,
  };
  return { endpoint, presence };
}

/** A connection that becomes idle only after its last answer would otherwise hold up the close until its keep-alive ends. */
function dropIdleConnections(server: Server): void {
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  server.once('close', () => clearInterval(sweep));
}
