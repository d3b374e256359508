import { randomBytes } from 'node:crypto';

import {
  buildGateway,
  createBearerTokens,
  createMemoryGatewayState,
  createMemorySessionStore,
  listen,
  type ListenAt,
  shutDown,
} from '@longhaul/gateway';
import { loadFeatures, logFeatureErrors, presentFeature } from '@longhaul/mcp-features';
import { logOptions, watchStrayErrors } from '@longhaul/runtime';
import { createMemoryBackend } from '@longhaul/sessions';
import { createTaskService, logTasks } from '@longhaul/tasks';
import { buildHealth, buildWorker, listenForHealthChecks, type WorkerDependencies } from '@longhaul/worker';
import { pino } from 'pino';

import type { Cleanup } from '../processes/cleanup.js';
import type { Settings } from '../settings.js';
import { UserError } from '../user-error.js';
import type { Serving } from './serving.js';

const STANDARD_OUTPUT = 1;

/** What differs between commands. */
export interface OneProcessOptions {
  /** Default: the address of the settings. */
  readonly at?: ListenAt;
  /** The file descriptor that logs go to. Default: standard output. */
  readonly logTo?: number;
}

/**
 * Gateway and worker in this very process, on the in-memory adapters: nothing outlives it.
 *
 * @throws UserError when a module of features cannot be loaded; ListenError when the gateway cannot listen
 */
export async function serveInOneProcess(
  { gateway, worker }: Settings,
  cleanup: Cleanup,
  options: OneProcessOptions = {},
): Promise<Serving> {
  const { at = gateway, logTo = STANDARD_OUTPUT } = options;
  const logger = pino(logOptions(gateway.logLevel, { app: 'longhaul', pid: process.pid }), pino.destination(logTo));
  const failed = Promise.withResolvers<string>();
  logFeatureErrors(logger);
  watchStrayErrors({ log: logger, blamed: presentFeature, end: failed.resolve });
  const onError = (error: unknown): void => logger.error({ err: error }, 'tasks');
  const backend = createMemoryBackend({ sessionTtlMs: gateway.sessionIdleMs, onError });
  cleanup.add(() => backend.close());
  const { features, instructions } = await loadFeatures(gateway.featureModules).catch((error: unknown) => {
    throw new UserError(error instanceof Error ? error.message : String(error));
  });
  await startWorker({ worker, backend, features, logger }, cleanup);
  const app = buildGateway({
    tasks: createTaskService(backend, { onError, onTask: logTasks(logger), limits: gateway.ownerLimits }),
    sessions: createMemorySessionStore({
      clock: Date.now,
      idleMs: gateway.sessionIdleMs,
      onKept: (id, ms) => backend.sessionState.keep(id, ms),
    }),
    backend,
    state: createMemoryGatewayState({ clock: Date.now, signals: backend.signals }),
    features,
    oldSecrets: gateway.oldSecrets,
    secret: gateway.secret ?? randomBytes(32).toString('base64url'),
    logger,
    ...(gateway.tokens !== undefined && { authenticate: createBearerTokens(gateway.tokens) }),
    ping: () => backend.ping(),
    settings: { ...gateway, boundTo: gateway.host, isDirect: 'socketPath' in at, instructions: gateway.instructions ?? instructions },
  });
  cleanup.add(() => shutDown({ app, drainMs: gateway.drainMs, logger }));
  cleanup.onInsist(() => process.exit(1));
  return { url: await listen(app, at), failed: failed.promise };
}

interface WorkerParts extends Pick<WorkerDependencies, 'backend' | 'features' | 'logger'> {
  readonly worker: Settings['worker'];
}

/** A worker that takes jobs, and answers health checks if it is told to. */
async function startWorker({ worker, ...parts }: WorkerParts, cleanup: Cleanup): Promise<void> {
  const { concurrency, noWorkerMs, drainMs, stepTimeoutMs, maxHistoryBytes, maxOwnerBytes, version, host, healthPort } = worker;
  const running = await buildWorker({
    ...parts,
    workerId: `memory-${process.pid}`,
    ...(version !== undefined && { version }),
    concurrency,
    noWorkerMs,
    drainMs,
    stepTimeoutMs,
    maxHistoryBytes,
    maxOwnerBytes,
  });
  cleanup.add(() => running.stop());
  if (healthPort === undefined) return;
  const health = buildHealth({ phase: () => 'taking jobs', ping: () => parts.backend.ping() });
  await listenForHealthChecks(health, host, healthPort);
  cleanup.add(() => health.close());
}
