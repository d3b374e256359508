/**
 * Puts a gateway together: the only place that does. Processes, commands, tests and the bench differ in what they pass in.
 */
import { observeLoad } from '@longhaul/tasks/telemetry';
import { createLogRefusal, withRefusals } from './rpc/log-refusals.js';
import { gatewayReports } from './telemetry/gateway-reports.js';
import type { FastifyInstance } from 'fastify';
import type { GatewayParts } from './gateway-parts.js';
import { featuresOf2026, openServices } from './open-services.js';
import { createGeneration2025 } from './generation-2025/generation-2025.js';
import { createGeneration2026 } from './generation-2026/generation-2026.js';
import { buildApp } from './http/app.js';
import { limitFailures } from './http/failed-authentications.js';
import { listen } from './http/listen.js';
import { createCountRequests, requestRatesOf } from './http/request-limits.js';
import { shutDown } from './http/shutdown.js';
import { openKeyRing } from './open-key-ring.js';
import { createOwners } from './rpc/features/owners.js';
import { withTaskApp } from './rpc/task-app/task-app.js';
import { createNotifyOfTask } from './rpc/tasks/notify-of-task.js';
import { createScopesOfTasks } from './rpc/tasks/scoped-tasks.js';
import { ListChanges } from './state/cluster/shown-lists.js';

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
  const services = await openServices({ ...given, backend, state, config, logger });
  const { access, service, tasks, tenants, requireScopes, trail } = services;
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
    state: { ...state, sessions: services.sessions },
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
    features: featuresOf2026(features),
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
  telemetry?.metrics?.observe(['longhaul.streams.open'], () => ({
    'longhaul.streams.open': generation2025.openStreams() + generation2026.openStreams(),
  }));
  if (telemetry?.metrics !== undefined) observeLoad(telemetry.metrics, backend);
  app.addHook('onClose', () => services.close());
  return { app, listen: () => listen(app, at), close: () => shutDown({ app, drainMs: config.drainMs, logger }) };
}
