/** A worker in a process of its own: config → connect → take jobs → until it is told to stop. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { loadFeatures, presentFeature } from '@longhaul/mcp-features';
import { logOptions, watchStrayErrors } from '@longhaul/runtime';
import { Lease } from '@longhaul/tasks';
import { ConfigError } from '@longhaul/runtime/environment';
import { describeMisspelling, misspeltVariables } from '@longhaul/runtime/misspelt-variables';
import { endWith, type StopRequests } from '@longhaul/runtime/stop-requests';
import { pino } from 'pino';
import { readConfig } from './config.js';
import { deploymentVersion } from './deployment-version.js';
import { buildHealth, listenForHealthChecks, type Phase } from './health.js';
import { ForkedTrials } from './isolation/forked-trials.js';
import { startWatchdog } from './watchdog/watchdog.js';
import { buildWorker } from './worker.js';
import { connectWorkerBackend } from './worker-backend.js';

/** Runs the worker that the environment describes. What it cannot start with ends the process. */
export async function runWorker(stopRequests: StopRequests): Promise<void> {
  await start(stopRequests).catch((error: unknown) => {
    if (error instanceof ConfigError) endWith(error);
    endWith(`The worker cannot start: ${error instanceof Error ? error.message : String(error)}`);
  });
}

async function start(stopRequests: StopRequests): Promise<void> {
  const config = readConfig(process.env);
  const logFields = { app: 'worker', pid: process.pid };
  const logger = pino(logOptions(config.logLevel, logFields));
  for (const found of misspeltVariables(process.env)) logger.warn(describeMisspelling(found));
  watchStrayErrors({ log: logger, blamed: presentFeature, end: (reason) => stopRequests.fail(reason) });
  const { features } = await loadFeatures(config.featureModules);
  const workerId = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  const backend = await connectWorkerBackend(config, logger);
  const { concurrency, noWorkerMs, drainMs, stepTimeoutMs, maxHistoryBytes, maxOwnerBytes } = config;
  const { host, healthPort, maxBlockMs, isolatedProcesses, isolatedMemoryBytes } = config;
  const version = config.version ?? deploymentVersion(features);
  let phase: Phase = 'starting';
  const health = buildHealth({ phase: () => phase, ping: () => backend.ping() });
  // Before it takes jobs: where it cannot listen it does not start, and no task has to notice.
  if (healthPort !== undefined) await listenForHealthChecks(health, host, healthPort);
  const memory = isolatedMemoryBytes === undefined ? {} : { memoryBytes: isolatedMemoryBytes };
  const lease = new Lease();
  const trials = new ForkedTrials({ workerId, version, lease, processes: isolatedProcesses, maxBlockMs, ...memory });
  const { held } = startWatchdog({ maxBlockMs, slots: concurrency, logFields });
  const limits = { concurrency, noWorkerMs, drainMs, stepTimeoutMs, maxHistoryBytes, maxOwnerBytes };
  const worker = await buildWorker({ backend, features, workerId, version, ...limits, logger, lease, trials, held });
  // Also when a tool ends the process: the tasks that it held need not wait until its silence is noticed.
  process.on('exit', () => worker.leave());
  phase = 'taking jobs';
  logger.info({ workerId, version, concurrency }, 'taking jobs');
  process.send?.({ type: 'ready' });

  stopRequests.handleWith(async (reason, hasFailed) => {
    logger.info({ signal: reason }, 'stopping');
    phase = 'draining';
    await worker.stop({ suspects: hasFailed });
    await health.close();
    await backend.close();
  });
}
