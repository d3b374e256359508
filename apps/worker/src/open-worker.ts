import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { createSessionJobRunner, type FeatureRegistry } from '@longhaul/mcp-features';
import {
  type JobDelivery,
  type JobVerdict,
  Lease,
  Suspects,
  type TaskBackend,
  type TaskConsumer,
  TaskRunner,
  WorkerPresence,
} from '@longhaul/tasks';
import type { Logger } from 'pino';
import type { WorkerConfig } from './config.js';
import { deploymentVersion } from './deployment-version.js';
import { buildHealth, listenForHealthChecks, type Phase } from './health.js';
import type { ForkedTrials } from './isolation/forked-trials.js';
import { runnerLog } from './runner-log.js';
import { shutDown } from './shutdown.js';
import type { HeldTasks } from './watchdog/held-tasks.js';

/** What a worker is made of. What was opened for it stays its caller's to close. */
export interface WorkerParts {
  readonly backend: TaskBackend;
  readonly config: WorkerConfig;
  readonly features: FeatureRegistry;
  readonly logger: Logger;
  /** @defaultValue one that no other worker has */
  readonly workerId?: string;
  /** Renewed while the worker is sure of its jobs; its forked processes have it too. @defaultValue one of its own */
  readonly lease?: Lease;
  /** Where passes run whose process died. Absent: here, like any other. */
  readonly trials?: ForkedTrials;
  /** Where the tasks that it holds are noted, for its watchdog. */
  readonly held?: HeldTasks;
}

/** An id that no other worker has, which says where the worker runs. */
export function newWorkerId(): string {
  return `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
}

/** A worker that takes jobs. */
export interface RunningWorker {
  /**
   * Takes no new jobs, gives the running passes `drainMs`, then leaves them to other workers: as healthy ones, or as
   * suspects if one of them may be why it stops.
   */
  stop(left?: { readonly suspects: boolean }): Promise<void>;
  /** Says in the last moment of the process that it is gone, so that others take its jobs at once. */
  leave(): void;
}

/**
 * The only place that puts a worker together. It answers health checks if it is configured to, then takes jobs: each is one
 * pass of one task.
 */
export async function openWorker({ backend, config, features, logger, ...parts }: WorkerParts): Promise<RunningWorker> {
  const { workerId = newWorkerId(), lease = new Lease(), trials, held } = parts;
  const { version = deploymentVersion(features), concurrency, noWorkerMs, drainMs, stepTimeoutMs, maxHistoryBytes, maxOwnerBytes } = config;
  let phase: Phase = 'starting';
  const health = buildHealth({ phase: () => phase, ping: () => backend.ping() });
  // Before it takes jobs: where it cannot listen it does not start, and no task has to notice.
  if (config.healthPort !== undefined) await listenForHealthChecks(health, config.host, config.healthPort);
  const onError = (error: unknown): void => logger.error({ err: error }, 'a task operation failed and will be repaired');
  const log = runnerLog(logger);
  const runner = new TaskRunner({
    backend,
    workflows: features.workflow,
    workerId,
    version,
    concurrency,
    lease,
    noWorkerMs,
    stepTimeoutMs,
    maxHistoryBytes,
    maxOwnerBytes,
    onError,
    ...log,
  });
  await runner.start();
  const { sessionState: state, sessionNews: news } = backend;
  const onSessionError = (error: unknown): void => logger.error({ err: error }, 'a session job failed and will be run again');
  const onSessionJob = createSessionJobRunner({ features, state, news, onError: onSessionError });
  const registered = Promise.withResolvers<WorkerPresence>();
  const hasDied = async (id: string, signal: AbortSignal): Promise<boolean> => (await registered.promise).hasDied(id, signal);
  const suspects = trials && new Suspects({ backend, processes: trials, hasDied, onError, onTask: log.onTask });
  const run = (delivery: JobDelivery): Promise<JobVerdict> =>
    held === undefined ? runner.handle(delivery) : held.during(delivery.job.taskId, () => runner.handle(delivery));
  const handle = (delivery: JobDelivery): Promise<JobVerdict> =>
    runner.inSlot(async () => {
      if (await runner.wasAsked(delivery)) return {};
      return (await suspects?.handle(delivery)) ?? run(delivery);
    });
  // The jobs of a worker that dies unregistered would be found only when their locks expire.
  const beforeFirstJob = async (consumer: TaskConsumer): Promise<void> => {
    const presence = new WorkerPresence({
      registry: backend.workers,
      worker: { workerId, version, tools: durableTools(features), startedAt: Date.now() },
      consumer,
      lease,
      onSilence: () => trials?.prepare(),
      onDeath: ({ worker, left }, jobs) =>
        logger.warn({ workerId: worker.workerId, left, jobs }, 'a worker has died, and its jobs go on elsewhere'),
      onError: (error) => logger.error({ err: error }, 'the worker could not say that it is alive'),
    });
    await presence.start();
    registered.resolve(presence);
  };
  const consumer = await backend.consume(handle, { concurrency, onSessionJob, beforeFirstJob });
  const presence = await registered.promise;
  phase = 'taking jobs';
  logger.info({ workerId, version, concurrency }, 'taking jobs');
  const stop = async (suspects: boolean): Promise<void> => {
    phase = 'draining';
    await shutDown({ runner, consumer, presence, drainMs, suspects, logger, ...(trials !== undefined && { trials }) });
    await health.close();
  };
  let stopping: Promise<void> | undefined;
  return {
    stop: ({ suspects } = { suspects: false }) => (stopping ??= stop(suspects)),
    leave: () => presence.leave(),
  };
}

function durableTools({ tools }: FeatureRegistry): readonly string[] {
  return tools.filter(({ taskSupport }) => taskSupport !== 'forbidden').map(({ name }) => name);
}
