import { within } from '@longhaul/runtime/within';
import type { PassGate, TaskConsumer, TaskRunner, WorkerPresence } from '@longhaul/tasks';
import type { Tenants } from '@longhaul/sessions';
import type { Logger } from 'pino';
import type { ForkedTrials } from './isolation/forked-trials.js';
import type { RunningSchedules } from './schedules/open-schedules.js';
import type { SentWebhooks } from './webhooks/open-webhooks.js';

/** How long released passes may take to record that they were released, milliseconds. */
const RELEASE_MS = 2_000;

/** The parts of a worker that are stopped, and the time limits. */
export interface Shutdown {
  readonly runner: TaskRunner;
  readonly gate: PassGate;
  readonly consumer: TaskConsumer;
  readonly presence: WorkerPresence;
  readonly tenants: Pick<Tenants, 'stop'>;
  readonly webhooks: SentWebhooks | undefined;
  readonly schedules: RunningSchedules;
  readonly trials?: ForkedTrials;
  readonly drainMs: number;
  /** Whether one of the running passes may be why the worker stops. */
  readonly suspects: boolean;
  readonly logger: Logger;
}

/**
 * Stops a worker in three stages, because the queue's own close waits for running jobs without limit. First the running passes may end by
 * themselves for `drainMs`. Then they are released to other workers, and their steps are aborted. At last the passes that are left are
 * dropped, and other workers take them because this worker publishes that it left. Suspects are dropped without being released: they are
 * tried first, like the passes of a worker that died, before they run together with others.
 */
export async function shutDown({
  runner,
  gate,
  consumer,
  presence,
  tenants,
  webhooks,
  schedules,
  trials,
  ...options
}: Shutdown): Promise<void> {
  const { drainMs, suspects, logger } = options;
  runner.drain();
  // What is not sent or started by then, others do.
  const others = within(drainMs, Promise.all([webhooks?.stop(), schedules.stop()]), () => undefined);
  const drained = consumer.drain().then(() => true);
  if (!(await within(drainMs, drained, () => false))) {
    logger.warn({ active: consumer.active }, 'drain time has ended: leaving running tasks to other workers');
    if (!suspects) runner.release();
    trials?.release();
    if (!suspects) await within(RELEASE_MS, drained, () => false);
  }
  runner.stop();
  gate.stop();
  tenants.stop();
  await Promise.all([consumer.close(), trials?.close(), others]);
  presence.leave();
}
