/** The worker process: config → connect → take jobs → signals. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { loadFeatures } from '@longhaul/mcp-features';
import { ConfigError } from '@longhaul/mcp-features/environment';
import { connectRedisBackend } from '@longhaul/tasks';
import { pino } from 'pino';
import { readConfig } from './config.js';
import { buildWorker } from './worker.js';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const logger = pino({ level: config.logLevel, base: { app: 'worker', pid: process.pid } });
  const features = await loadFeatures({ ...config.everything, modules: config.featureModules });
  const workerId = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  const backend = await connectRedisBackend({
    url: config.redisUrl,
    cluster: config.redisCluster,
    prefix: config.keyPrefix,
    role: 'worker',
    onError: (error) => logger.error({ err: error }, 'redis'),
  });
  const { concurrency, drainMs } = config;
  const worker = await buildWorker({ backend, features, workerId, concurrency, drainMs, logger });
  logger.info({ workerId, concurrency }, 'taking jobs');
  process.send?.({ type: 'ready' });

  // A tool's forgotten promise must not take the other tasks of this process down.
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled rejection in a tool'));
  let asked = false;
  const stop = async (signal: string): Promise<void> => {
    if (asked) process.exit(1);
    asked = true;
    logger.info({ signal }, 'stopping');
    await worker.stop();
    await backend.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
  process.on('disconnect', () => void stop('disconnect'));
}

main().catch((error: unknown) => {
  const lines =
    error instanceof ConfigError ? error.message : `The worker cannot start: ${error instanceof Error ? error.message : String(error)}`;
  process.stderr.write(`${lines}\n`);
  process.exit(1);
});
