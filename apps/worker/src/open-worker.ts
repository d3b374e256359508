import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { FeatureRegistry } from '@longhaul/mcp-features';
import type { Store } from '@longhaul/sessions';
import type { Telemetry } from '@longhaul/runtime/telemetry';
import { WorkerLease } from '@longhaul/tasks';
import type { Logger } from 'pino';
import type { WorkerConfig } from './config.js';
import { deploymentVersion } from './deployment-version.js';
import type { Health, Phase } from './health.js';
import type { ForkedTrials } from './isolation/forked-trials.js';
import type { OnMisfit } from './runner-log.js';
import { shutDown } from './shutdown.js';
import { takeJobs } from './take-jobs.js';
import type { HeldTasks } from './watchdog/held-tasks.js';

/** The parts of a worker. The caller closes what it opened for the worker. */
export interface WorkerParts {
  readonly store: Store;
  readonly config: WorkerConfig;
  readonly features: FeatureRegistry;
  readonly logger: Logger;
  /** @defaultValue an id that no other worker has */
  readonly workerId?: string;
  /** Renewed while the worker is sure of its jobs; its forked processes have it too. @defaultValue a new lease */
  readonly lease?: WorkerLease;
  /** Runs passes again after their process died. Absent: in this process, like any other pass. */
  readonly trials?: ForkedTrials;
  /** Where the watchdog finds the tasks that the worker holds. */
  readonly held?: HeldTasks;
  readonly onMisfit?: OnMisfit;
  /** Where traces and metrics go. Absent: nowhere. */
  readonly telemetry?: Telemetry | undefined;
}

/** An id that no other worker has, and that shows where the worker runs. */
export function newWorkerId(): string {
  return `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
}

/** A worker that takes jobs. */
export interface RunningWorker {
  /**
   * Takes no new jobs, gives the running passes `drainMs`, then leaves them to other workers: as suspects if one of them may be why the
   * worker stops, otherwise as healthy ones.
   */
  stop(left?: { readonly suspects: boolean }): Promise<void>;
  /** Publishes in the last moment of the process that it ends, so that other workers take its jobs at once. */
  leave(): void;
}

/**
 * The only place that puts a worker together. It answers health checks if it is configured to, then takes jobs: each is one
 * pass of one task.
 */
export async function openWorker({ store, config, features, logger, ...parts }: WorkerParts): Promise<RunningWorker> {
  const { workerId = newWorkerId(), lease = new WorkerLease(), trials, held, onMisfit, telemetry } = parts;
  const { version = deploymentVersion(features) } = config;
  let phase: Phase = 'starting';
  // The port comes before the jobs: a worker that cannot listen does not start, and no task is affected.
  const closeHealth = await answerHealthChecks(config, { phase: () => phase, ping: () => store.ping() });
  const taking = await takeJobs({ store, config, features, logger, workerId, version, lease, trials, held, onMisfit, telemetry }).catch(
    async (error: unknown) => {
      await closeHealth();
      throw error;
    },
  );
  phase = 'taking jobs';
  logger.info({ workerId, version, concurrency: config.concurrency }, 'taking jobs');
  const stop = async (suspects: boolean): Promise<void> => {
    phase = 'draining';
    await shutDown({ ...taking, drainMs: config.drainMs, suspects, logger, ...(trials !== undefined && { trials }) });
    await closeHealth();
  };
  let stopping: Promise<void> | undefined;
  return {
    stop: ({ suspects } = { suspects: false }) => (stopping ??= stop(suspects)),
    leave: () => taking.presence.leave(),
  };
}

/** @returns a function that stops the answers */
async function answerHealthChecks({ host, healthPort }: WorkerConfig, health: Health): Promise<() => Promise<void>> {
  if (healthPort === undefined) return async () => undefined;
  // The module is loaded only here: a worker without that port starts sooner.
  const { buildHealth, listenForHealthChecks } = await import('./health.js');
  const server = buildHealth(health);
  await listenForHealthChecks(server, host, healthPort);
  return () => server.close();
}
