import type { FeatureRegistry } from '@longhaul/mcp-features';
import { type Backend, createSessionJobRunner } from '@longhaul/sessions';
import { type JobDelivery, type JobVerdict, Lease, Suspects, type TaskConsumer, TaskRunner, WorkerPresence } from '@longhaul/tasks';
import type { Logger } from 'pino';
import { deploymentVersion } from './deployment-version.js';
import type { ForkedTrials } from './isolation/forked-trials.js';
import { runnerLog } from './runner-log.js';
import { shutDown } from './shutdown.js';
import type { HeldTasks } from './watchdog/held-tasks.js';

/** What a worker is built from; the backend stays the caller's to close. */
export interface WorkerDependencies {
  readonly backend: Backend;
  readonly features: FeatureRegistry;
  readonly workerId: string;
  /** Of the deployment. Default: that of the package with the fingerprint of the features. */
  readonly version?: string;
  readonly concurrency: number;
  /** How long a task waits while no worker is alive that could run it, milliseconds. Default: a minute. */
  readonly noWorkerMs?: number | undefined;
  readonly drainMs: number;
  /** How long a try of a step may take if the step names no limit, milliseconds. @defaultValue an hour */
  readonly stepTimeoutMs?: number;
  /** What the history of a task may take, bytes. @defaultValue 64 MiB */
  readonly maxHistoryBytes?: number;
  /** What the histories of all tasks of an owner may take, bytes. @defaultValue 256 MiB */
  readonly maxOwnerBytes?: number;
  readonly logger: Logger;
  /** Renewed while the worker is sure of its jobs; its forked processes have it too. Default: one of its own. */
  readonly lease?: Lease;
  /** Where passes run whose process died. Absent: here, like any other. */
  readonly trials?: ForkedTrials;
  /** Where the tasks that it holds are noted, for its watchdog. */
  readonly held?: HeldTasks;
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

/** Starts to take jobs: each job is one pass of one task. */
export async function buildWorker(dependencies: WorkerDependencies): Promise<RunningWorker> {
  const { backend, features, workerId, concurrency, noWorkerMs, drainMs, logger, trials, held } = dependencies;
  const { version = deploymentVersion(features), lease = new Lease(), stepTimeoutMs, maxHistoryBytes, maxOwnerBytes } = dependencies;
  const onError = (error: unknown): void => logger.error({ err: error }, 'a task operation failed and will be repaired');
  const log = runnerLog(logger);
  const runner = new TaskRunner({
    backend,
    sessionValues: backend.sessionState,
    workflows: features.workflow,
    workerId,
    version,
    concurrency,
    lease,
    ...(noWorkerMs !== undefined && { noWorkerMs }),
    ...(stepTimeoutMs !== undefined && { stepTimeoutMs }),
    ...(maxHistoryBytes !== undefined && { maxHistoryBytes }),
    ...(maxOwnerBytes !== undefined && { maxOwnerBytes }),
    onError,
    ...log,
  });
  await runner.start();
  const { sessionState: state, sessionNotifications: notifications } = backend;
  const onSessionError = (error: unknown): void => logger.error({ err: error }, 'a session job failed and will be run again');
  const sideJobs = createSessionJobRunner({ features, state, notifications, onError: onSessionError });
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
  const consumer = await backend.consume(handle, { concurrency, sideJobs, beforeFirstJob });
  const presence = await registered.promise;
  let stopping: Promise<void> | undefined;
  return {
    stop: ({ suspects } = { suspects: false }) =>
      (stopping ??= shutDown({ runner, consumer, presence, drainMs, suspects, logger, ...(trials !== undefined && { trials }) })),
    leave: () => presence.leave(),
  };
}

function durableTools({ tools }: FeatureRegistry): readonly string[] {
  return tools.filter(({ taskSupport }) => taskSupport !== 'forbidden').map(({ name }) => name);
}
