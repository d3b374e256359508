import { createSessionJobRunner, type FeatureRegistry } from '@longhaul/mcp-features';
import { TaskRunner, type TaskBackend } from '@longhaul/tasks';
import type { Logger } from 'pino';
import { shutDown } from './shutdown.js';

/** What a worker is built from; the backend stays the caller's to close. */
export interface WorkerDependencies {
  readonly backend: TaskBackend;
  readonly features: FeatureRegistry;
  readonly workerId: string;
  readonly concurrency: number;
  readonly drainMs: number;
  /** How long a try of a step may take if the step names no limit, milliseconds. @defaultValue an hour */
  readonly stepTimeoutMs?: number;
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
  concurrency,
  drainMs,
  stepTimeoutMs,
  logger,
}: WorkerDependencies): Promise<RunningWorker> {
  const runner = new TaskRunner({
    backend,
    workflows: features.workflow,
    workerId,
    onError: (error) => logger.error({ err: error }, 'a task operation failed and will be repaired'),
    ...(stepTimeoutMs !== undefined && { stepTimeoutMs }),
    onStuck: (stuck) =>
      logger.warn(stuck, 'a pass has recorded nothing for a minute; its worker has a place less while the named steps run'),
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
  return { stop: () => (stopping ??= shutDown({ runner, consumer, drainMs, logger })) };
}
