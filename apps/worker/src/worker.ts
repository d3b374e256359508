import { createSessionJobRunner, type FeatureRegistry } from '@longhaul/mcp-features';
import { type TaskBackend, TaskRunner, WorkerPresence } from '@longhaul/tasks';
import type { Logger } from 'pino';
import { shutDown } from './shutdown.js';

/** What a worker is built from; the backend stays the caller's to close. */
export interface WorkerDependencies {
  readonly backend: TaskBackend;
  readonly features: FeatureRegistry;
  readonly workerId: string;
  /** Version of the deployment that this worker runs: see `deploymentVersion`. */
  readonly version: string;
  readonly concurrency: number;
  /** How long a task waits while no worker is alive that could run it, milliseconds. Default: a minute. */
  readonly noWorkerMs?: number | undefined;
  readonly drainMs: number;
  readonly logger: Logger;
}

/** A worker that takes jobs. */
export interface RunningWorker {
  /** Takes no new jobs, gives the running passes `drainMs`, then leaves them to other workers. */
  stop(): Promise<void>;
}

/** Starts to take jobs: each job is one pass of one task. */
export async function buildWorker({
  backend,
  features,
  workerId,
  version,
  concurrency,
  noWorkerMs,
  drainMs,
  logger,
}: WorkerDependencies): Promise<RunningWorker> {
  const presence = new WorkerPresence({
    registry: backend.workers,
    worker: { workerId, version, tools: features.durableTools, lockToken: '', startedAt: Date.now() },
    onError: (error) => logger.error({ err: error }, 'this worker could not say that it is alive'),
  });
  await presence.start();
  const runner = new TaskRunner({
    backend,
    workflows: features.workflow,
    workerId,
    version,
    concurrency,
    ...(noWorkerMs !== undefined && { noWorkerMs }),
    onGivenBack: ({ taskId, pass, tool, asked, misfit }) => logger.info({ taskId, pass, tool, asked, misfit }, 'given back'),
    onError: (error) => logger.error({ err: error }, 'a task operation failed and will be repaired'),
    onPass: ({ job, end, tookMs }) => logger.info({ taskId: job.taskId, pass: job.pass, end, tookMs }, 'pass'),
  });
  await runner.start();
  const onSessionJob = createSessionJobRunner({
    features,
    state: backend.sessionState,
    news: backend.sessionNews,
    onError: (error) => logger.error({ err: error }, 'a session job failed and will be run again'),
  });
  const consumer = await backend.consume(runner.handle, { concurrency, onSessionJob });
  let stopping: Promise<void> | undefined;
  return {
    stop: () => (stopping ??= shutDown({ runner, consumer, drainMs, logger }).finally(() => presence.leave())),
  };
}
