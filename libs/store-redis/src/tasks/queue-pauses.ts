import { pausedWork } from '@longhaul/tasks/store';
import { type PausedWork, pauseName, type QueuePauses, type Unsubscribe } from '@longhaul/tasks';
import { definePublish, defineScript, type Publish, type RedisClient, type RedisSubscriptions, type RunScript } from '@longhaul/redis';
import { QUEUE_NAME } from './bullmq-settings.js';
import type { RedisKeys } from './keys.js';
import type { KnownQueues } from './known-queues.js';
import { FIRST_QUEUE } from './queue-numbers.js';
import { PUT_BACK } from './queue-pauses.lua.js';
import { whileReachable } from './store-fault.js';

/** What the pauses work with. */
export interface RedisQueuePausesDeps {
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  readonly subscriptions: RedisSubscriptions;
  readonly queues: KnownQueues;
}

/**
 * `QueuePauses` on Redis. What is paused is said beside the first queue. Each further one has a copy for its scripts, which is made
 * whenever jobs are put back, and by a worker that sets a job aside before that.
 */
export class RedisQueuePauses implements QueuePauses {
  readonly #putBack: RunScript<typeof PUT_BACK>;
  readonly #publish: Publish;

  constructor(private readonly deps: RedisQueuePausesDeps) {
    this.#putBack = defineScript(deps.redis, PUT_BACK);
    this.#publish = definePublish(deps.redis);
  }

  async present(): Promise<PausedWork> {
    return pausedWork(await whileReachable(() => this.#names()));
  }

  async pause(tool?: string): Promise<void> {
    const { redis, keys } = this.deps;
    await whileReachable(() => redis.sadd(keys.queuePauses().paused, pauseName(tool)));
    await this.#changed();
  }

  async resume(tool?: string): Promise<void> {
    const { redis, keys } = this.deps;
    await whileReachable(() => redis.srem(keys.queuePauses().paused, pauseName(tool)));
    await this.#changed();
  }

  onChange(listener: () => void): Promise<Unsubscribe> {
    const { keys, subscriptions } = this.deps;
    return whileReachable(() => subscriptions.add(keys.pausesChanged(), () => listener()));
  }

  async putBack(limit: number): Promise<number> {
    const further = this.deps.queues.all.filter((queue) => queue !== FIRST_QUEUE);
    return whileReachable(async () => {
      const names = further.length === 0 ? [] : await this.#names();
      // One whose master is away must not keep the others waiting.
      const counts = await Promise.allSettled([
        this.#putBackOf(FIRST_QUEUE, limit),
        ...further.map((queue) => this.#putBackOf(queue, limit, names)),
      ]);
      return counts.reduce((sum, count) => {
        if (count.status === 'rejected') throw count.reason;
        return sum + count.value;
      }, 0);
    });
  }

  /** @param names what is paused, if what the queue has is a copy of it */
  #putBackOf(queue: number, limit: number, names?: readonly string[]): Promise<number> {
    const { keys } = this.deps;
    const queueKey = `${keys.queuePrefix(queue)}:${QUEUE_NAME}`;
    const { asidePrefix, ...sets } = keys.queuePauses(queue);
    const lists = { waiting: `${queueKey}:wait`, marker: `${queueKey}:marker` };
    return this.#putBack({ ...sets, ...lists }, { jobPrefix: `${queueKey}:`, asidePrefix, limit, isCopy: names !== undefined }, names);
  }

  #names(): Promise<string[]> {
    const { redis, keys } = this.deps;
    return redis.smembers(keys.queuePauses().paused);
  }

  async #changed(): Promise<void> {
    await whileReachable(() => this.#publish(this.deps.keys.pausesChanged(), ''));
  }
}
