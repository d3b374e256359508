/** A worker in a process of its own: config → connect → take jobs → until it is told to stop. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { deploymentVersion, loadFeatures } from '@longhaul/mcp-features';
import { ConfigError } from '@longhaul/mcp-features/environment';
import { endWith, type StopRequests } from '@longhaul/mcp-features/stop-requests';
import { connectRedisBackend } from '@longhaul/tasks';
import { pino } from 'pino';
import { readConfig } from './config.js';
import { buildHealth, listenForHealthChecks, type Phase } from './health.js';
import { buildWorker } from './worker.js';

/** Runs the worker that the environment describes. What it cannot start with ends the process. */
export async function runWorker(stopRequests: StopRequests): Promise<void> {
  await start(stopRequests).catch((error: unknown) => {
    if (error instanceof ConfigError) endWith(error);
    endWith(`The worker cannot start: ${error instanceof Error ? error.message : String(error)}`);
  });
}

async function start(stopRequests: StopRequests): Promise<void> {
  const config = readConfig(process.env);
  const logger = pino({ level: config.logLevel, base: { app: 'worker', pid: process.pid } });
  const features = await loadFeatures({ ...config.everything, modules: config.featureModules });
  const workerId = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  const backend = await connectRedisBackend({
    url: config.redisUrl,
    cluster: config.redisCluster,
    prefix: config.keyPrefix,
    role: 'worker',
    sessionTtlMs: config.sessionIdleMs,
    onError: (error) => logger.error({ err: error }, 'redis'),
  });
  const { concurrency, drainMs, noWorkerMs, host, healthPort } = config;
  const version = deploymentVersion(features, config.version);
  let phase: Phase = 'starting';
  const health = buildHealth({ phase: () => phase, ping: () => backend.ping() });
  // Before it takes jobs: where it cannot listen it does not start, and no task has to notice.
  if (healthPort !== undefined) await listenForHealthChecks(health, host, healthPort);
  const worker = await buildWorker({ backend, features, workerId, version, concurrency, noWorkerMs, drainMs, logger });
  phase = 'taking jobs';
  logger.info({ workerId, version, concurrency }, 'taking jobs');
  process.send?.({ type: 'ready' });

  // A tool's forgotten promise must not take the other tasks of this process down.
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled rejection in a tool'));
  stopRequests.handleWith(async (request) => {
    logger.info({ signal: request }, 'stopping');
    phase = 'draining';
    await worker.stop();
    await health.close();
    await backend.close();
  });
}
