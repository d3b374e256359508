/**
 * Looks for jobs in the queues. A job is mostly in the queue of its lane; otherwise it was put into another one by a process that
 * has other queues. On a cluster each queue may have a master of its own: as long as one that may have the job is away, the job
 * counts as there, so that what is known of the others can be acted upon.
 */
import { soughtIdsOf, type SoughtJob } from '@longhaul/tasks/store';
import { isAway, type RedisClient } from '@longhaul/redis';
import { QUEUE_NAME } from './bullmq-settings.js';
import type { RedisKeys } from './keys.js';
import type { KnownQueues } from './known-queues.js';

/** What is looked at. */
export interface JobLookupDeps {
  readonly redis: Pick<RedisClient, 'exists'>;
  readonly keys: RedisKeys;
  readonly queues: Pick<KnownQueues, 'all' | 'of'>;
}

/** Whether jobs are there. Rejects with the errors of ioredis: with one queue also while its master is away. */
export class JobLookup {
  constructor(private readonly deps: JobLookupDeps) {}

  has(jobs: readonly SoughtJob[]): Promise<readonly boolean[]> {
    return Promise.all(jobs.map((job) => this.#mayBeThere(job)));
  }

  async #mayBeThere(job: SoughtJob): Promise<boolean> {
    try {
      return await this.#isThere(job);
    } catch (error) {
      if (isAway(error) && this.deps.queues.all.length > 1) return true;
      throw error;
    }
  }

  async #isThere(job: SoughtJob): Promise<boolean> {
    const { queues } = this.deps;
    const home = queues.of(job.lane);
    if (await this.#isIn(home, job)) return true;
    const others = queues.all.filter((queue) => queue !== home);
    return (await Promise.all(others.map((queue) => this.#isIn(queue, job)))).includes(true);
  }

  async #isIn(queue: number, job: SoughtJob): Promise<boolean> {
    const prefix = `${this.deps.keys.queuePrefix(queue)}:${QUEUE_NAME}`;
    return (await this.deps.redis.exists(...soughtIdsOf(job).map((id) => `${prefix}:${id}`))) > 0;
  }
}
