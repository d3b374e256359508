/**
 * Puts a gateway together: the only place that does. Processes, commands, tests and the bench differ in what they pass in.
 */
import { createFeatureRegistry, type FeatureRegistry } from '@longhaul/mcp-features';
import { type Backend, ownerLimitsOf, Revocations, Tenants } from '@longhaul/sessions';
import { anyCallerChain, AuditWriter, createTaskService, logTasks, mayLeaveSomething, type TaskService } from '@longhaul/tasks';
import { hashOf } from '@longhaul/runtime';
import { type Telemetry } from '@longhaul/runtime/telemetry';
import { observeLoad, observeTasks } from '@longhaul/tasks/telemetry';
import { createLogRefusal, withRefusals } from './rpc/log-refusals.js';
import { gatewayReports } from './telemetry/gateway-reports.js';
import { withTracedQuestions } from './telemetry/traced-questions.js';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { openAccess } from './access/open-access.js';
import { RevokedCallers } from './access/revoked-callers.js';
import { AuditTrail } from './audit/audit-trail.js';
import { auditedTasks } from './audit/audited-tasks.js';
import type { GatewayConfig } from './config.js';
import { createGeneration2025 } from './generation-2025/generation-2025.js';
import { createGeneration2026 } from './generation-2026/generation-2026.js';
import { buildApp } from './http/app.js';
import { limitFailures } from './http/failed-authentications.js';
import { listen, type ListenAt } from './http/listen.js';
import { rareWarnings } from './http/rare-warnings.js';
import { createCountRequests, requestRatesOf } from './http/request-limits.js';
import { shutDown } from './http/shutdown.js';
import type { Authenticate } from './rpc/caller.js';
import { openKeyRing } from './open-key-ring.js';
import { createRequireScopes } from './rpc/scopes.js';
import { serverInfo } from './rpc/server-info.js';
import { createOwners } from './rpc/features/owners.js';
import { withTaskApp } from './rpc/task-app/task-app.js';
import { createNotifyOfTask } from './rpc/tasks/notify-of-task.js';
import { createScopesOfTasks, scopedTasks } from './rpc/tasks/scoped-tasks.js';
import { withheldTasks } from './rpc/tasks/withheld-tasks.js';
import { ListChanges } from './state/cluster/shown-lists.js';
import type { GatewayState } from './state/gateway-state.js';
import { withheldSessions } from './state/withheld-sessions.js';

/** What a gateway is made of. What was opened for it stays its caller's to close. */
export interface GatewayParts {
  readonly backend: Backend;
  /** What it shares with the other gateways. */
  readonly state: GatewayState;
  readonly config: GatewayConfig;
  readonly features: FeatureRegistry;
  readonly logger: Logger;
  /** What the features say of how to use them, unless the configuration says something else. */
  readonly instructions?: string | undefined;
  /** Where it listens. @defaultValue the address of the configuration */
  readonly at?: ListenAt;
  /** Who makes a request. @defaultValue whom the tokens and issuers of the configuration name; without any, everyone is let in */
  readonly authenticate?: Authenticate;
  /** Where traces and metrics go. Absent: nowhere. */
  readonly telemetry?: Telemetry | undefined;
  /** @defaultValue that of the backend, under the limits of the configuration */
  readonly tasks?: TaskService;
}

/** A gateway, not yet listening. */
export interface Gateway {
  readonly app: FastifyInstance;
  /** @returns the URL of the MCP endpoint. @throws ListenError */
  listen(): Promise<string>;
  /** Sends those who wait for tasks to other gateways, and lets the other requests finish within the drain time. */
  close(): Promise<void>;
}

/** @throws TaskError `STORE_UNAVAILABLE` when the secret that all gateways share cannot be read */
export async function openGateway({ backend, state, config, logger, ...given }: GatewayParts): Promise<Gateway> {
  const { at = config } = given;
  const { telemetry } = given;
  const warnOfTenants = rareWarnings(logger);
  const onError = (error: unknown): void => warnOfTenants('what operators say of tenants was not read', { err: error });
  const tenants = new Tenants({ config: config.tenants, overrides: backend.tenants, onError });
  await tenants.start();
  const { access, service, tasks, requireScopes, revoked, auditWriter, trail } = await openServices({
    ...given,
    backend,
    state,
    config,
    logger,
    tenants,
  });
  const { authenticate = access.authenticate } = given;
  const keyRing = await openKeyRing(backend, state, config);
  trail?.record({ action: 'key.load', target: keyRing.current.id, outcome: 'done', details: { oldKeys: config.oldSecrets.length } });
  const closing = new AbortController();
  const notifyOfTask = createNotifyOfTask(tasks);
  const instructions = config.instructions ?? given.instructions;
  // Nobody but the user of the machine can open the socket.
  const isDirect = 'socketPath' in at;
  const { sessionIdleMs } = config;
  const owners = createOwners({ backend, isOneUser: isDirect && authenticate === undefined, sessionIdleMs, logger });
  const features = withTaskApp(given.features, { tasks, owners });
  const logRefusal = createLogRefusal(logger);
  const reports = withRefusals(
    gatewayReports(telemetry, { features, isDirect, hidesMessages: config.atRest !== undefined }),
    logRefusal,
    (refused) => trail?.refused(refused),
  );
  const serving = { tenants, tasks, notifyOfTask, requireScopes, owners, reports };
  const shared = {
    ...serving,
    state: { ...state, sessions: withheldSessions(state.sessions, revoked) },
    config,
    instructions,
    keyRing,
    logger,
    closing: closing.signal,
  };
  // Without sessions nothing is known of the client, so the app is not for it.
  const generation2025 = createGeneration2025({ ...shared, features: config.isStateless ? given.features : features, backend });
  const generation2026 = createGeneration2026({
    ...shared,
    features: createFeatureRegistry(features.features.filter(({ needsSession }) => !needsSession)),
    sessionNotifications: backend.sessionNotifications,
    // Nothing stands between client and gateway that would act on what headers repeat of arguments.
    isDirect,
  });
  const app = buildApp({
    generation2025,
    generation2026,
    listChanges: new ListChanges({ shown: state.shownLists, features, notifications: backend.sessionNotifications, logger }),
    access,
    authenticate: authenticate && limitFailures(authenticate, state.rates, config.failuresPerMinute),
    scopesOfTasks: createScopesOfTasks(service, given.features),
    countRequests: createCountRequests(state.rates, requestRatesOf(config.requestRate, tenants)),
    ping: () => backend.ping(),
    trail,
    onRefused(failure) {
      const { httpStatus: status, code, message: reason } = failure;
      reports.refused(status);
      trail?.refused(failure);
      logRefusal({ status, code, reason });
    },
    config,
    logger,
    closing,
  });
  app.addHook('onClose', () => tenants.stop());
  telemetry?.metrics?.observe(['longhaul.streams.open'], () => ({
    'longhaul.streams.open': generation2025.openStreams() + generation2026.openStreams(),
  }));
  if (telemetry?.metrics !== undefined) observeLoad(telemetry.metrics, backend);
  app.addHook('onClose', async () => {
    revoked.stop();
    await auditWriter?.close();
  });
  return { app, listen: () => listen(app, at), close: () => shutDown({ app, drainMs: config.drainMs, logger }) };
}

/** Who is let in, and the tasks that callers reach. */
async function openServices({
  backend,
  state,
  config,
  features,
  logger,
  telemetry,
  tasks,
  tenants,
}: GatewayParts & { readonly tenants: Tenants }) {
  const onError = (error: unknown): void => logger.error({ err: error }, 'store');
  const warnRarely = rareWarnings(logger);
  const { title = config.server.name } = serverInfo(config.server);
  const revoked = new RevokedCallers({ revocations: new Revocations(backend.ownerRecords), onError });
  const access = await openAccess({
    config,
    features,
    revoked,
    rates: state.rates,
    title,
    onError: (error) => warnRarely('token not verified', { err: error }),
  });
  const observer = telemetry && observeTasks(telemetry, hashOf, config.atRest !== undefined);
  const cleansUp = mayLeaveSomething(features.workflow);
  const service =
    tasks ??
    createTaskService(backend, {
      onError,
      onTask: logTasks(logger, config.atRest !== undefined),
      observer,
      limits: ownerLimitsOf(config.ownerLimits, tenants),
      cleansUp,
    });
  const traced = telemetry?.traces === undefined ? service : withTracedQuestions(service);
  const requireScopes = createRequireScopes(access.challenges);
  const auditWriter = config.auditsCallers
    ? new AuditWriter({ log: backend.audit, chain: anyCallerChain(), keep: config.auditEntries, onError })
    : undefined;
  const trail = auditWriter && new AuditTrail(auditWriter);
  const knowsCallers = access.authenticate !== undefined;
  if (knowsCallers) await revoked.start();
  const scoped = withheldTasks(scopedTasks(traced, features, requireScopes), knowsCallers ? revoked : undefined);
  return { access, service, requireScopes, revoked, tasks: auditedTasks(scoped, trail), auditWriter, trail };
}
