import type { FeatureRegistry } from '@longhaul/mcp-features';
import type { TaskService } from '@longhaul/tasks';
import type { Server } from 'node:http';
import { fastify, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { RpcCode, SHUTTING_DOWN } from './errors.js';
import { createInputIds } from './generation-2025/input-ids.js';
import { registerHealthRoutes } from './health-routes.js';
import { createFollowTask } from './methods/follow-task.js';
import { methodTable } from './methods/method-table.js';
import { createTellNews } from './methods/news-teller.js';
import { createReceiveAnswer } from './methods/receive-answer.js';
import type { SessionStore } from './sessions/session.js';
import type { Endpoint } from './transport/endpoint.js';
import { GetStreams } from './transport/get-streams.js';
import { createHostCheck, type HostCheckOptions } from './transport/host-check.js';
import { httpErrorHandler, sendFailure } from './transport/http-errors.js';
import { MCP_PATH, registerMcpRoutes } from './transport/mcp-routes.js';
import { OpenExchanges } from './transport/open-exchanges.js';

/** What a gateway is built from. Whatever was opened for it stays its caller's to close. */
export interface GatewayDeps {
  readonly tasks: TaskService;
  readonly sessions: SessionStore;
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

/**
 * The gateway, not yet listening. Closing it answers the requests that wait, ends the streams and lets
 * the others finish.
 */
export function buildGateway({ tasks, sessions, features, secret, logger, ping, settings }: GatewayDeps): FastifyInstance {
  const { bodyLimitBytes, maxTtlMs, patienceMs = 1_000, keepAliveMs } = settings;
  const inputIds = createInputIds(secret);
  const exchanges = new OpenExchanges();
  const sse = keepAliveMs === undefined ? {} : { keepAliveMs };
  const tellNews = createTellNews(tasks, sessions);
  const streams = new GetStreams({ tasks, sessions, tellNews, logger, sse });
  const endpoint: Endpoint = {
    sessions,
    methods: methodTable({ features, tasks, sessions, follow: createFollowTask(tasks, inputIds, tellNews), maxTtlMs }),
    receiveAnswer: createReceiveAnswer(tasks, inputIds, logger),
    exchanges,
    streams,
    logger,
    sse,
    patienceMs,
  };

  const app = fastify({ bodyLimit: bodyLimitBytes, forceCloseConnections: 'idle' });
  let isDraining = false;
  app.addHook('preClose', (done) => {
    isDraining = true;
    streams.endAll();
    exchanges.endAll(SHUTTING_DOWN);
    if (app.server.listening) dropIdleConnections(app.server);
    done();
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

/** A connection that becomes idle only after its last answer would otherwise hold up the close until its keep-alive ends. */
function dropIdleConnections(server: Server): void {
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  server.once('close', () => clearInterval(sweep));
}
