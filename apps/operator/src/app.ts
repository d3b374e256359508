import { wellFormedJson } from '@longhaul/tasks/text';
import { fastify, type FastifyInstance, type RouteOptions } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { checkAccess } from './access/access-check.js';
import { mcpRoutes } from './mcp/mcp-routes.js';
import { noteRoutes } from './openapi/noted-routes.js';
import { auditRoutes } from './routes/audit-routes.js';
import { bulkRoutes } from './routes/bulk-routes.js';
import { failureRoutes } from './routes/failure-routes.js';
import { followRoutes } from './routes/follow-routes.js';
import { historyRoutes } from './routes/history-routes.js';
import { loginRoutes } from './routes/login-routes.js';
import { overviewRoutes } from './routes/overview-routes.js';
import { principalRoutes } from './routes/principal-routes.js';
import { questionRoutes } from './routes/question-routes.js';
import { queueRoutes } from './routes/queue-routes.js';
import type { AppDeps, RouteDeps } from './routes/route-deps.js';
import { scheduleRoutes } from './routes/schedule-routes.js';
import { serverRoutes } from './routes/server-routes.js';
import { searchRoutes } from './routes/search-routes.js';
import { taskRoutes } from './routes/task-routes.js';
import { logRefusals } from './http/log-refusals.js';
import { pageRoutes } from './http/page-routes.js';
import { tenantRoutes } from './routes/tenant-routes.js';
import { statsRoutes } from './routes/stats-routes.js';
import { serviceRoutes } from './routes/service-routes.js';
import { signalRoutes } from './routes/signal-routes.js';
import { toolRoutes } from './routes/tool-routes.js';
import { webhookRoutes } from './routes/webhook-routes.js';
import { ANSWER_HEADERS, setAnswerHeaders } from './http/answer-headers.js';
import { limitConnections, serverOptions } from './http/connection-limits.js';
import { readJsonBodies } from './http/json-body.js';
import { createErrorHandler, MAX_PARAM_LENGTH, Refused } from './http/problems.js';

/** No body in this API is larger: an answer to a form, arguments of a task. */
const BODY_LIMIT_BYTES = 1024 * 1024;

/** Texts of tasks may contain halves of characters, for which strict programs refuse the whole answer. */
function sendWellFormed(app: FastifyInstance): void {
  app.addHook('onSend', (_request, _reply, payload, done) => done(null, typeof payload === 'string' ? wellFormedJson(payload) : payload));
}

/** Stands for Fastify's own compilers of schemas, so that it does not load them: a hundred modules at each start. */
function isNotUsed(): never {
  throw new Error('Schemas of the operator API are compiled by the compilers that it has set.');
}

/** Builds the operator API; it does not listen yet. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const answerError = createErrorHandler(deps.logger);
  const app = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: (_address, hop) => hop < deps.proxyHops,
    ...serverOptions(deps.connections),
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    schemaController: { compilersFactory: { buildValidator: isNotUsed, buildSerializer: isNotUsed } },
    // For invalid paths, before any hook.
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply.headers(ANSWER_HEADERS)),
  });
  limitConnections(app.server, deps.connections, deps);
  const closing = new AbortController();
  app.addHook('preClose', (done) => {
    closing.abort();
    done();
  });
  sendWellFormed(app);
  readJsonBodies(app);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  setAnswerHeaders(app);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(() => {
    throw new Refused(404, 'NO_SUCH_ROUTE', 'There is no such route; GET /openapi.json lists all of them.');
  });
  app.addHook('onRoute', refuseUnknownParameters);
  logRefusals(app, deps.logger);
  checkAccess(app, deps);
  const openApi = noteRoutes(app, deps.version);
  const routes: RouteDeps = { ...deps, closing: closing.signal };
  await app.register(
    (scope, _options, done) => {
      apiRoutes(scope, routes);
      done();
    },
    { prefix: '/api/v1' },
  );
  await app.register((scope, _options, done) => {
    loginRoutes(scope, routes);
    done();
  });
  await app.register((scope, _options, done) => {
    mcpRoutes(scope, routes);
    done();
  });
  pageRoutes(app);
  probeRoutes(app, deps, openApi);
  return app;
}

function apiRoutes(scope: FastifyInstance, routes: RouteDeps): void {
  taskRoutes(scope, routes);
  followRoutes(scope, routes);
  searchRoutes(scope, routes);
  historyRoutes(scope, routes);
  questionRoutes(scope, routes);
  signalRoutes(scope, routes);
  overviewRoutes(scope, routes);
  statsRoutes(scope, routes);
  failureRoutes(scope, routes);
  queueRoutes(scope, routes);
  tenantRoutes(scope, routes);
  toolRoutes(scope, routes);
  webhookRoutes(scope, routes);
  scheduleRoutes(scope, routes);
  serverRoutes(scope, routes);
  auditRoutes(scope, routes);
  principalRoutes(scope, routes);
  bulkRoutes(scope, routes);
  serviceRoutes(scope, routes);
}

/** A misspelt parameter would be a filter that every task fits. */
function refuseUnknownParameters(route: RouteOptions): void {
  if (route.url.startsWith('/api/')) route.schema = { querystring: z.strictObject({}), ...route.schema };
}

/** The routes that are open to everyone: the list of routes, and health. */
function probeRoutes(app: FastifyInstance, deps: AppDeps, openApi: () => Promise<object>): void {
  app.get('/openapi.json', { schema: { hide: true }, config: { isOpen: true } }, () => openApi());
  app.get('/livez', { schema: { hide: true }, config: { isOpen: true } }, () => ({ status: 'ok' }));
  app.get('/readyz', { schema: { hide: true }, config: { isOpen: true } }, async () => {
    await deps.ping();
    return { status: 'ok' };
  });
}
