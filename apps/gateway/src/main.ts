/** The gateway process: config → connect → listen → signals. */
import { instructions, loadFeatures } from '@longhaul/mcp-features';
import { connectRedisBackend, createTaskService } from '@longhaul/tasks';
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

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const logger = pino({ level: config.logLevel, base: { app: 'gateway', pid: process.pid } });
  const features = await loadFeatures({
    ...config.everything,
    modules: config.featureModules,
  });
  const onError = (error: unknown): void => logger.error({ err: error }, 'redis');
  const redisAt = { url: config.redisUrl, cluster: config.redisCluster, prefix: config.keyPrefix };
  const backend = await connectRedisBackend({ ...redisAt, role: 'gateway', onError });
  const { redis } = backend;
  const keys = gatewayKeys(config.keyPrefix);
  const app = buildGateway({
    tasks: createTaskService(backend, { onError, limits: config.ownerLimits }),
    sessions: createRedisSessionStore({
      redis,
      keys,
      clock: Date.now,
      idleMs: config.sessionIdleMs,
      onKept: (id, ms) => backend.sessionState.keep(id, ms),
    }),
    backend,
    state: createRedisGatewayState({ redis, keys, signals: backend.signals }),
    features,
    secret: config.secret ?? (await sharedSecret(redis, keys)),
    logger,
    ...(config.tokens !== undefined && { authenticate: createBearerTokens(config.tokens) }),
    ping: () => backend.ping(),
    settings: { ...config, boundTo: config.host, instructions },
  });
  const url = await listen(app, config);
  logger.info({ url }, 'listening');
  process.send?.({ type: 'ready', url });

  // An inline tool's forgotten promise must not take the other requests of this process down.
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled rejection'));
  let asked = false;
  const stop = async (signal: string): Promise<void> => {
    if (asked) process.exit(1);
    asked = true;
    logger.info({ signal }, 'stopping');
    await shutDown({ app, drainMs: config.drainMs, logger });
    await backend.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(signal, () => void stop(signal));
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
