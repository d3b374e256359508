/** A gateway in a process of its own: config → connect → listen → until it is told to stop. */
import { instructions, loadFeatures, logFeatureErrors } from '@longhaul/mcp-features';
import { describeMisspelling, misspeltVariables } from '@longhaul/mcp-features/misspelt-variables';
import { endWith, type StopRequests } from '@longhaul/mcp-features/stop-requests';
import { watchStrayErrors } from '@longhaul/mcp-features/stray-errors';
import { connectRedisBackend, createTaskService, logOptions, logTasks } from '@longhaul/tasks';
import { pino } from 'pino';
import { buildGateway } from './http/app.js';
import { createBearerTokens } from './http/bearer-tokens.js';
import { readConfig } from './config.js';
import { createRedisGatewayState } from './state/gateway-state.js';
import { listen } from './http/listen.js';
import { createRedisSessionStore } from './state/redis/session-store.js';
import { gatewayKeys } from './state/redis/session-keys.js';
import { sharedSecret } from './state/redis/shared-secret.js';
import { shutDown } from './http/shutdown.js';

/**
 * Runs the gateway that the environment describes. With a path as the argument of the process it listens on that socket, in
 * place of HOST and PORT. What it cannot start with ends the process.
 */
export async function runGateway(stopRequests: StopRequests): Promise<void> {
  await start(stopRequests).catch(endWith);
}

async function start(stopRequests: StopRequests): Promise<void> {
  const config = readConfig(process.env);
  const [socketPath] = process.argv.slice(2);
  const logger = pino(logOptions(config.logLevel, { app: 'gateway', pid: process.pid }));
  for (const found of misspeltVariables(process.env)) logger.warn(describeMisspelling(found));
  logFeatureErrors(logger);
  watchStrayErrors({ log: logger, end: (reason) => stopRequests.fail(reason) });
  const features = await loadFeatures({
    ...config.everything,
    modules: config.featureModules,
  });
  const onError = (error: unknown): void => logger.error({ err: error }, 'redis');
  const redisAt = { url: config.redisUrl, cluster: config.redisCluster, prefix: config.keyPrefix };
  const backend = await connectRedisBackend({
    ...redisAt,
    role: 'gateway',
    sessionTtlMs: config.sessionIdleMs,
    watermark: config.redisWatermark,
    onError,
  });
  const { redis, capacity } = backend;
  const keys = gatewayKeys(config.keyPrefix);
  const app = buildGateway({
    tasks: createTaskService(backend, { onError, onTask: logTasks(logger), limits: config.ownerLimits }),
    sessions: createRedisSessionStore({
      redis,
      keys,
      capacity,
      // Not the time of day, which may be set back.
      clock: () => performance.now(),
      idleMs: config.sessionIdleMs,
      onKept: (id, ms) => backend.sessionState.keep(id, ms),
    }),
    backend,
    state: createRedisGatewayState({ redis, keys, signals: backend.signals, capacity }),
    features,
    oldSecrets: config.oldSecrets,
    secret: config.secret ?? (await sharedSecret(redis, keys)),
    logger,
    ...(config.tokens !== undefined && { authenticate: createBearerTokens(config.tokens) }),
    ping: () => backend.ping(),
    settings: { ...config, boundTo: config.host, isDirect: socketPath !== undefined, instructions },
  });
  const url = await listen(app, socketPath === undefined ? config : { socketPath });
  logger.info({ url, auth: config.tokens === undefined ? 'anonymous' : 'tokens' }, 'listening');
  process.send?.({ type: 'ready', url });

  stopRequests.handleWith(async (request) => {
    logger.info({ signal: request }, 'stopping');
    await shutDown({ app, drainMs: config.drainMs, logger });
    await backend.close();
  });
}
