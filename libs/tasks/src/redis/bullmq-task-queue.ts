import { Queue } from 'bullmq';
import type { RedisClient } from '@longhaul/redis';
import type { GivenBack } from '../ports/parked-tasks.js';
import { whileReachable } from './store-fault.js';
import { EVENT_STREAM_OPTIONS, JOB_NAME, JOB_OPTIONS, QUEUE_NAME } from './bullmq-settings.js';
import { givenBackIdOf, jobIdsOf, soughtIdsOf } from '../ports/job-id.js';
import type { QueuedTaskJob, SideJob, SoughtJob, TaskJob, TaskQueue } from '../ports/task-queue.js';

/** What the producer works with; the connection stays its owner's. */
export interface BullMqTaskQueueDeps {
  /** Connected already. */
  readonly redis: RedisClient;
  /** Prefix of BullMQ's keys, with a hash tag. */
  readonly prefix: string;
  readonly onError: (error: unknown) => void;
}

/** `TaskQueue` on BullMQ. Rejects with `STORE_UNAVAILABLE` while Redis cannot be reached. */
export class BullMqTaskQueue implements TaskQueue {
  readonly #queue: Queue;
  readonly #redis: RedisClient;

  constructor({ redis, prefix, onError }: BullMqTaskQueueDeps) {
    this.#redis = redis;
    this.#queue = new Queue(QUEUE_NAME, {
      connection: redis,
      prefix,
      streams: EVENT_STREAM_OPTIONS,
      defaultJobOptions: JOB_OPTIONS,
      // Checked already. A check that failed because a node of a cluster was away would fail every job of this process.
      skipVersionCheck: true,
    });
    // Without a listener an 'error' event would end the process.
    this.#queue.on('error', onError);
  }

  async add(job: TaskJob, dueAt: number): Promise<void> {
    const delay = dueAt - Date.now();
    const { immediate, delayed } = jobIdsOf(job);
    const options = delay > 0 ? { jobId: delayed, delay } : { jobId: immediate };
    const data: QueuedTaskJob = plain(job);
    await whileReachable(() => this.#queue.add(JOB_NAME, data, options));
  }

  async has(jobs: readonly SoughtJob[]): Promise<readonly boolean[]> {
    const keys = jobs.map((job) => soughtIdsOf(job).map((id) => this.#queue.toKey(id)));
    const found = await whileReachable(() => Promise.all(keys.map((names) => this.#redis.exists(...names))));
    return found.map((count) => count > 0);
  }

  async recover(job: TaskJob): Promise<void> {
    const data: QueuedTaskJob = { ...plain(job), recovered: true };
    await whileReachable(() => this.#queue.add(JOB_NAME, data, { jobId: jobIdsOf(data).immediate }));
  }

  async addGivenBack(job: TaskJob, givenBack: GivenBack): Promise<void> {
    const data: QueuedTaskJob = { ...plain(job), givenBack };
    await whileReachable(() => this.#queue.add(JOB_NAME, data, { jobId: givenBackIdOf(data, givenBack.times) }));
  }

  async addSideJob({ kind, id, data }: SideJob): Promise<void> {
    await whileReachable(() => this.#queue.add(kind, data, { jobId: id }));
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }
}

/** Named one by one: other members of the caller's object stay out of Redis. */
function plain({ taskId, pass, lane }: TaskJob): TaskJob {
  return { taskId, pass, ...(lane !== undefined && { lane }) };
}
