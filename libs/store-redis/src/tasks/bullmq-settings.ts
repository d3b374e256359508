/** Settings of BullMQ 6.7, each with its reason. */
import { REDELIVERY_DELAY_MS } from '@longhaul/tasks/store';
import type { JobsOptions } from 'bullmq';

/** The name of the jobs of tasks, frozen like the queue's; side jobs have the name of their kind. */
export const JOB_NAME = 'pass';

/** The options of every job. */
export const JOB_OPTIONS: JobsOptions = {
  // A rejected handler means that the pass could not be judged, as when Redis was away: it is tried again, without limit. Attempts of the
  // workflow are counted in the stream.
  attempts: 1_000_000_000,
  backoff: { type: 'fixed', delay: REDELIVERY_DELAY_MS },
  // Stack traces would lie in Redis as plain text.
  stackTraceLimit: 0,
};

/** Settings of the producer. BullMQ's event stream has no reader; by default it keeps 10,000 entries. */
export const EVENT_STREAM_OPTIONS = { events: { maxLen: 100 } };

/**
 * Settings of the worker, apart from concurrency and lock times. It does not skip BullMQ's check: without a version, delayed jobs come by
 * whole seconds.
 */
export const WORKER_OPTIONS = {
  // The default fails a job at its second stall, even if attempts are left: a rolling deployment or two would do
  // that. A task that keeps losing its worker is failed by the domain, with a reason in its stream.
  maxStalledCount: 1_000_000_000,
  // The default keeps every ended job for ever; the stream of the task is our record, not the queue. An option of each job would say the
  // same in each of them.
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
  // The pause after a connection error; the default is 15 s.
  runRetryDelay: 1000,
  // `lock-renewal.ts` renews locks.
  skipLockRenewal: true,
};
