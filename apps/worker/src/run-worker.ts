/** Runs a worker in a process of its own: config → connect → take jobs → until a stop request. */
import { loadFeatures, logWorkflowWarnings, presentFeature } from '@longhaul/mcp-features';
import { logDestination, logOptions, watchStrayErrors } from '@longhaul/runtime';
import { watchDeployment } from '@longhaul/sessions';
import { withoutMessage, WorkerLease } from '@longhaul/tasks';
import { ConfigError } from '@longhaul/runtime/environment';
import { variableWarnings } from '@longhaul/runtime/misspelt-variables';
import { telemetrySettings } from '@longhaul/runtime/telemetry';
import { endWith, type StopRequests } from '@longhaul/runtime/stop-requests';
import { pino } from 'pino';
import { readConfig } from './config.js';
import { deploymentVersion } from './deployment-version.js';
import { ForkedTrials } from './isolation/forked-trials.js';
import type { OnMisfit } from './runner-log.js';
import { startWatchdog } from './watchdog/watchdog.js';
import { newWorkerId, openWorker } from './open-worker.js';
import { durableTools } from './take-jobs.js';
import { openWorkerTelemetry } from './worker-telemetry.js';
import { openWorkerStore } from './worker-store.js';

/** Runs the worker that the environment describes. If the worker cannot start, the process ends. */
export async function runWorker(stopRequests: StopRequests): Promise<void> {
  await start(stopRequests).catch((error: unknown) => {
    if (error instanceof ConfigError) endWith(error);
    endWith(`The worker cannot start: ${error instanceof Error ? error.message : String(error)}`);
  });
}

async function start(stopRequests: StopRequests): Promise<void> {
  const config = readConfig(process.env);
  const logFields = { app: 'worker', pid: process.pid };
  const logger = pino(logOptions(config.logLevel, logFields), await logDestination(config.logFormat));
  for (const line of variableWarnings(process.env, process.send !== undefined)) logger.warn(line);
  const shown = config.atRest === undefined ? undefined : withoutMessage;
  watchStrayErrors({ log: logger, blamed: presentFeature, shown, end: (reason) => stopRequests.fail(reason) });
  const { features, notices, prepareProcess, prepareWorker, close } = await loadFeatures(config.featureModules, import.meta.url);
  for (const notice of notices) logger.warn(notice);
  if (config.workflowWarnings) logWorkflowWarnings(logger);
  const workerId = newWorkerId();
  const store = await openWorkerStore(config, logger);
  const telemetry = await openWorkerTelemetry(telemetrySettings(process.env), workerId, logger);
  await prepareProcess({
    process: { id: `worker-${workerId}`, role: 'worker' },
    store,
    metrics: telemetry?.metrics,
    warn: (line) => logger.warn(line),
  });
  await prepareWorker();
  const { concurrency, maxBlockMs, isolatedProcesses: processes, isolatedMemoryBytes, clearedAfterMs } = config;
  const version = config.version ?? deploymentVersion(features);
  const memory = isolatedMemoryBytes === undefined ? {} : { memoryBytes: isolatedMemoryBytes };
  const lease = new WorkerLease();
  const trials = new ForkedTrials({ workerId, version, lease, processes, clearedAfterMs, maxBlockMs, ...memory });
  const { held } = startWatchdog({ maxBlockMs, slots: concurrency, logFields });
  const onMisfit: OnMisfit = (task) => process.send?.({ type: 'misfit', ...task });
  const worker = await openWorker({ store, config, features, logger, workerId, lease, trials, held, onMisfit, telemetry });
  // The handler runs also when a tool ends the process: then its tasks do not wait until its silence is noticed.
  process.on('exit', () => worker.leave());
  const warnings = watchDeployment({
    store,
    processId: `worker-${workerId}`,
    settings: variableWarnings(process.env),
    worker: { workerId, tools: durableTools(features) },
    metrics: telemetry?.metrics,
    log: logger,
  });
  process.send?.({ type: 'ready' });

  stopRequests.handleWith(async (reason, hasFailed) => {
    logger.info({ signal: reason }, 'stopping');
    await worker.stop({ suspects: hasFailed });
    await warnings.stop();
    await close();
    await telemetry?.close();
    await store.close();
  });
}
