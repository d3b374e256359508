import type { ListChanges } from '../cluster/list-changes.js';
import { toWireJson } from '@longhaul/tasks/text';
import { fastify, type FastifyInstance, type FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { Access } from '../access/open-access.js';
import type { AuditTrail } from '../audit/audit-trail.js';
import type { GatewayConfig } from '../config.js';
import type { Generation2025 } from '../generation-2025/generation-2025.js';
import type { Generation2026 } from '../generation-2026/generation-2026.js';
import { RpcCode, type RpcFailure } from '../rpc/errors.js';
import type { ScopesOfTasks } from '../rpc/tasks/scoped-tasks.js';
import { createAdmit } from './admit.js';
import { createAllowance } from './allowance.js';
import { limitConnections, serverOptions } from './connection-limits.js';
import { registerHealthRoutes } from './health-routes.js';
import type { LimitedAuthenticate } from './failed-authentications.js';
import { createHostCheck, type HostCheck } from './host-check.js';
import { httpErrorHandler, sendFailure } from './http-errors.js';
import { IdleConnections } from './idle-connections.js';
import { MCP_PATH, registerMcpRoutes } from './mcp-routes.js';
import { MAX_SIGNAL_BYTES } from '@longhaul/tasks';
import { MAX_FORM_BYTES } from '../questions/question-page.js';
import { registerSignalRoutes, sendSignalError, type SignalRoutesDeps } from './signal-routes.js';
import { type QuestionRoutesDeps, registerQuestionRoutes, sendErrorPage } from './question-routes.js';
import type { CountRequests } from './request-limits.js';
import { registerMetadataRoutes } from './metadata-routes.js';

/** The parts of the HTTP server. */
export interface AppDeps {
  readonly generation2025: Generation2025;
  readonly generation2026: Generation2026;
  readonly listChanges: ListChanges;
  /** Metadata and scopes. */
  readonly access: Omit<Access, 'authenticate'>;
  /** Finds who makes a request. Absent if everyone is let in. */
  readonly authenticate: LimitedAuthenticate | undefined;
  /** Whether only the user of this machine can connect, who needs no token. */
  readonly isOneUser: boolean;
  readonly scopesOfTasks: ScopesOfTasks;
  /** Absent if callers' actions are not recorded. */
  readonly trail?: AuditTrail | undefined;
  /** How many requests callers may make. */
  readonly countRequests: CountRequests;
  /** The pages of linked questions. Absent if no links are made. */
  readonly questions: Omit<QuestionRoutesDeps, 'checkHost' | 'countRequests'> | undefined;
  /** The addresses for signals. Absent if tasks make none. */
  readonly signals: Omit<SignalRoutesDeps, 'checkHost' | 'countRequests' | 'maxValues'> | undefined;
  /** Resolves when the store answers and has room. */
  readonly ping: () => Promise<void>;
  /** Whether this gateway's own worker ends again and again. Default: nothing is known about workers. */
  readonly isWorkerFailing?: (() => boolean) | undefined;
  /** Called with each refusal before a method runs. */
  readonly onRefused: (failure: RpcFailure) => void;
  readonly config: GatewayConfig;
  readonly logger: Logger;
  /** Aborted here when the process is about to end. */
  readonly closing: AbortController;
}

const NOT_FOUND: RpcFailure = { httpStatus: 404, code: RpcCode.Transport, message: `Not found. The MCP endpoint is ${MCP_PATH}.` };

/** More than Node accepts of a request's line and headers together. */
const MAX_URL_LENGTH = 16 * 1_024;

/** What paths are taken. */
const PATHS = {
  // Many people write the address of the endpoint with a slash at its end. A token of any length is an unknown one.
  routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_URL_LENGTH },
  // Of a path that is no valid one, before any hook.
  frameworkErrors: (_error: unknown, _request: unknown, reply: FastifyReply) => void sendFailure(reply, NOT_FOUND),
};

/** Routes have no schemas here, so that Fastify does not load its schema compiler: a hundred modules at each start. */
function hasNoSchema(): never {
  throw new Error('A route of the gateway has a schema, which nothing here compiles.');
}

/**
 * Builds the gateway's server; it does not listen yet. Closing it sends clients that wait for tasks to other gateways, and lets the other
 * requests finish.
 */
export function buildApp(deps: AppDeps): FastifyInstance {
  const { generation2025, generation2026, listChanges, access, scopesOfTasks, countRequests, ping, onRefused, config, logger, closing } =
    deps;
  const { bodyLimitBytes, connections, drainMs, proxyHops } = config;
  // While it closes, requests on open connections are still answered: the routes decide which ones.
  const app = fastify({
    bodyLimit: bodyLimitBytes,
    ...PATHS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: (_address, hop) => hop < proxyHops,
    schemaController: { compilersFactory: { buildValidator: hasNoSchema, buildSerializer: hasNoSchema } },
    ...serverOptions(connections),
  });
  app.setReplySerializer((payload) => toWireJson(payload));
  limitConnections(app.server, connections, { proxyHops, logger });
  const idleConnections = new IdleConnections(app.server);
  let drainedBy = Infinity;

  app.addHook('onReady', async () => {
    await Promise.all([generation2025.start(), generation2026.start()]);
  });
  // The lists are compared only once clients can read them here.
  app.addHook('onListen', () => listChanges.start());
  app.addHook('preClose', (done) => {
    closing.abort();
    drainedBy = performance.now() + drainMs;
    generation2025.sayGoodbye();
    generation2026.sayGoodbye();
    idleConnections.drop();
    done();
  });
  app.addHook('onClose', async () => {
    await generation2025.stop(drainedBy - performance.now());
    generation2026.stop();
    await listChanges.stop();
  });
  app.setErrorHandler(httpErrorHandler(logger, bodyLimitBytes, onRefused));
  app.setNotFoundHandler((_request, reply) => sendFailure(reply, NOT_FOUND));
  registerHealthRoutes(app, { ping, isDraining: () => closing.signal.aborted, isWorkerFailing: deps.isWorkerFailing ?? (() => false) });
  const checkHost = createHostCheck(config);
  app.register((scope, _options, done) => {
    deps.trail?.watch(scope);
    registerMcpRoutes(scope, {
      generation2025,
      generation2026,
      admit: createAdmit(checkHost, deps.authenticate, deps.isOneUser),
      allowance: createAllowance({ ...access, scopesOfTasks }),
      countRequests,
      bodyLimits: { maxValues: config.bodyLimitValues, inWorkBytes: config.bodiesInWorkBytes },
      closing: closing.signal,
    });
    done();
  });
  registerPages(app, deps, checkHost);
  return app;
}

/** What browsers and clients read beside the endpoint. */
function registerPages(app: FastifyInstance, deps: AppDeps, checkHost: HostCheck): void {
  registerMetadata(app, deps.access.metadata, checkHost);
  registerQuestions(app, deps, checkHost);
  registerSignals(app, deps, checkHost);
}

function registerMetadata(app: FastifyInstance, metadata: Access['metadata'], checkHost: HostCheck): void {
  if (metadata === undefined) return;
  app.register((scope, _options, done) => {
    registerMetadataRoutes(scope, metadata, checkHost);
    done();
  });
}

function registerQuestions(app: FastifyInstance, deps: AppDeps, checkHost: HostCheck): void {
  const { questions, countRequests, logger, onRefused } = deps;
  if (questions === undefined) return;
  app.register((scope, _options, done) => {
    deps.trail?.watch(scope);
    scope.setErrorHandler(httpErrorHandler(logger, MAX_FORM_BYTES, onRefused, sendErrorPage(questions.server)));
    registerQuestionRoutes(scope, { ...questions, checkHost, countRequests });
    done();
  });
}

function registerSignals(app: FastifyInstance, deps: AppDeps, checkHost: HostCheck): void {
  const { signals, countRequests, logger, onRefused, config } = deps;
  if (signals === undefined) return;
  app.register((scope, _options, done) => {
    deps.trail?.watch(scope);
    scope.setErrorHandler(httpErrorHandler(logger, MAX_SIGNAL_BYTES, onRefused, sendSignalError));
    registerSignalRoutes(scope, { ...signals, maxValues: config.bodyLimitValues, checkHost, countRequests });
    done();
  });
}
