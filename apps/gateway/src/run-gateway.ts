/** A gateway in a process of its own: config → connect → listen → until it is told to stop. */
import { loadFeatures, logFeatureErrors, presentFeature } from '@longhaul/mcp-features';
import { logOptions, watchStrayErrors } from '@longhaul/runtime';
import { connectRedisBackend } from '@longhaul/sessions';
import { createTaskService, logTasks } from '@longhaul/tasks';
import { describeMisspelling, misspeltVariables } from '@longhaul/runtime/misspelt-variables';
import { endWith, type StopRequests } from '@longhaul/runtime/stop-requests';
import { pino } from 'pino';
import { buildGateway } from './app.js';
import { createBearerTokens } from './auth/bearer-tokens.js';
import { readConfig } from './config.js';
import { createRedisGatewayState } from './gateways/gateway-state.js';
import { listen } from './listen.js';
import { createRedisSessionStore } from './sessions/redis-session-store.js';
import { gatewayKeys } from './sessions/session-keys.js';
import { sharedSecret } from './sessions/shared-secret.js';
import { shutDown } from './shutdown.js';

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
  watchStrayErrors({ log: logger, blamed: presentFeature, end: (reason) => stopRequests.fail(reason) });
  const { features, instructions } = await loadFeatures(config.featureModules);
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
    settings: { ...config, boundTo: config.host, isDirect: socketPath !== undefined, instructions: config.instructions ?? instructions },
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
