import type { GivenBack, QueuedTaskJob, SideJob, TaskJob, TaskQueue } from '@longhaul/tasks';
import { givenBackIdOf, jobIdsOf, soughtIdsOf, type SoughtJob } from '@longhaul/tasks/store';
import { type JobsOptions, Queue } from 'bullmq';
import type { RedisClient } from '@longhaul/redis';
import type { RedisClock } from './redis-clock.js';
import { whileReachable } from './store-fault.js';
import { EVENT_STREAM_OPTIONS, JOB_NAME, JOB_OPTIONS } from './bullmq-settings.js';
import { QUEUE_NAME, type RedisKeys } from '../keys/tasks.js';

/** The stored data of a job. */
type QueueData = { readonly lane?: string };

/** The dependencies of the producer; the connection stays its owner's. */
export interface BullMqTaskQueueDeps {
  /** It is connected already. */
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  readonly clock: RedisClock;
  readonly onError: (error: unknown) => void;
}

/** `TaskQueue` on BullMQ. Rejects with `STORE_UNAVAILABLE` while Redis cannot be reached. */
export class BullMqTaskQueue implements TaskQueue {
  readonly #queue: Queue;

  constructor(private readonly deps: BullMqTaskQueueDeps) {
    const { redis, keys, onError } = deps;
    this.#queue = new Queue(QUEUE_NAME, {
      connection: redis,
      prefix: keys.queuePrefix(),
      streams: EVENT_STREAM_OPTIONS,
      defaultJobOptions: JOB_OPTIONS,
      // The version is checked already. A check that failed because a node of a cluster was away would fail every job of this process.
      skipVersionCheck: true,
    });
    // Without a listener an 'error' event would end the process.
    this.#queue.on('error', onError);
  }

  async add(job: TaskJob, dueAt: number): Promise<void> {
    const delay = dueAt - this.deps.clock.now();
    const { immediate, delayed } = jobIdsOf(job);
    const options = delay > 0 ? { jobId: delayed, delay } : { jobId: immediate };
    const data: QueuedTaskJob = plain(job);
    await this.#put(JOB_NAME, data, options);
  }

  async withdraw(job: TaskJob): Promise<void> {
    await whileReachable(() => this.#queue.remove(jobIdsOf(job).delayed));
  }

  has(jobs: readonly SoughtJob[]): Promise<readonly boolean[]> {
    const { jobPrefix } = this.deps.keys.jobs();
    const isThere = async (job: SoughtJob): Promise<boolean> =>
      (await this.deps.redis.exists(...soughtIdsOf(job).map((id) => `${jobPrefix}${id}`))) > 0;
    return whileReachable(() => Promise.all(jobs.map(isThere)));
  }

  async recover(job: TaskJob): Promise<void> {
    const data: QueuedTaskJob = { ...plain(job), recovered: true };
    await this.#put(JOB_NAME, data, { jobId: jobIdsOf(data).immediate });
  }

  async addGivenBack(job: TaskJob, givenBack: GivenBack): Promise<void> {
    const data: QueuedTaskJob = { ...plain(job), givenBack };
    await this.#put(JOB_NAME, data, { jobId: givenBackIdOf(data, givenBack.times) });
  }

  async addSideJob({ kind, id, lane, data }: SideJob): Promise<void> {
    await this.#put(kind, { ...data, ...(lane !== undefined && { lane }) }, { jobId: id });
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }

  async #put(name: string, data: QueueData, options: JobsOptions): Promise<void> {
    await whileReachable(() => this.#queue.add(name, data, options));
  }
}

/** Named one by one: other members of the caller's object stay out of Redis. */
function plain({ taskId, pass, lane, tool, priority }: TaskJob): TaskJob {
  return {
    taskId,
    pass,
    ...(lane !== undefined && { lane }),
    ...(tool !== undefined && { tool }),
    ...(priority !== undefined && { priority }),
  };
}
