import { givenBackIdOf, jobIdsOf, type SoughtJob } from '@longhaul/tasks/store';
import type { GivenBack, QueuedTaskJob, SideJob, TaskJob, TaskQueue } from '@longhaul/tasks';
import { type JobsOptions, Queue } from 'bullmq';
import type { RedisClient } from '@longhaul/redis';
import { whileReachable } from './store-fault.js';
import { EVENT_STREAM_OPTIONS, JOB_NAME, JOB_OPTIONS, QUEUE_NAME } from './bullmq-settings.js';
import { JobLookup } from './job-lookup.js';
import type { RedisKeys } from './keys.js';
import type { KnownQueues } from './known-queues.js';
import { FIRST_QUEUE } from './queue-numbers.js';

/** What is stored of a job. */
type QueueData = { readonly lane?: string };

/** What the producer works with; the connection stays its owner's. */
export interface BullMqTaskQueueDeps {
  /** Connected already. */
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  readonly queues: KnownQueues;
  readonly onError: (error: unknown) => void;
}

/** `TaskQueue` on the BullMQ queues of the process. Rejects with `STORE_UNAVAILABLE` while Redis cannot be reached. */
export class BullMqTaskQueue implements TaskQueue {
  readonly #queues: ReadonlyMap<number, Queue>;
  readonly #lookup: JobLookup;

  constructor(private readonly deps: BullMqTaskQueueDeps) {
    this.#queues = new Map(deps.queues.own.map((queue) => [queue, this.#open(queue)]));
    this.#lookup = new JobLookup(deps);
  }

  async add(job: TaskJob, dueAt: number): Promise<void> {
    const delay = dueAt - Date.now();
    const { immediate, delayed } = jobIdsOf(job);
    const options = delay > 0 ? { jobId: delayed, delay } : { jobId: immediate };
    const data: QueuedTaskJob = plain(job);
    await this.#put(JOB_NAME, data, options);
  }

  has(jobs: readonly SoughtJob[]): Promise<readonly boolean[]> {
    return whileReachable(() => this.#lookup.has(jobs));
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

  /** Adds a job of another queue to the first one, where limits of tools are counted. */
  readonly forward = async (job: QueuedTaskJob, jobId: string): Promise<void> => {
    await whileReachable(async () => this.#queues.get(FIRST_QUEUE)?.add(JOB_NAME, job, { jobId }));
  };

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#queues.values(), (queue) => queue.close()));
  }

  #open(number: number): Queue {
    const { redis, keys, onError } = this.deps;
    const queue = new Queue(QUEUE_NAME, {
      connection: redis,
      prefix: keys.queuePrefix(number),
      streams: EVENT_STREAM_OPTIONS,
      defaultJobOptions: JOB_OPTIONS,
      // Checked already. A check that failed because a node of a cluster was away would fail every job of this process.
      skipVersionCheck: true,
    });
    // Without a listener an 'error' event would end the process.
    queue.on('error', onError);
    return queue;
  }

  async #put(name: string, data: QueueData, options: JobsOptions): Promise<void> {
    const queue = this.#queues.get(this.deps.queues.of(data.lane));
    await whileReachable(async () => queue?.add(name, data, options));
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
