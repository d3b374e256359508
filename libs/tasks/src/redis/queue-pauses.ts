import { definePublish, defineScript, type Publish, type RedisClient, type RedisSubscriptions, type RunScript } from '@longhaul/redis';
import type { Unsubscribe } from '../ports/event-store.js';
import { type PausedWork, pausedWork, pauseName, type QueuePauses } from '../ports/queue-pauses.js';
import { QUEUE_NAME } from './bullmq-settings.js';
import type { RedisKeys } from './keys.js';
import { PUT_BACK } from './scripts/queue-pauses.js';
import { whileReachable } from './store-fault.js';

/** What the pauses work with. */
export interface RedisQueuePausesDeps {
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  readonly subscriptions: RedisSubscriptions;
}

/** `QueuePauses` on Redis. */
export class RedisQueuePauses implements QueuePauses {
  readonly #putBack: RunScript<typeof PUT_BACK>;
  readonly #publish: Publish;

  constructor(private readonly deps: RedisQueuePausesDeps) {
    this.#putBack = defineScript(deps.redis, PUT_BACK);
    this.#publish = definePublish(deps.redis);
  }

  async present(): Promise<PausedWork> {
    const { redis, keys } = this.deps;
    return pausedWork(await whileReachable(() => redis.smembers(keys.queuePauses().paused)));
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

  putBack(limit: number): Promise<number> {
    const { keys } = this.deps;
    const queueKey = `${keys.queuePrefix()}:${QUEUE_NAME}`;
    const { asidePrefix, ...names } = keys.queuePauses();
    const lists = { waiting: `${queueKey}:wait`, marker: `${queueKey}:marker` };
    return whileReachable(() => this.#putBack({ ...names, ...lists }, { jobPrefix: `${queueKey}:`, asidePrefix, limit }));
  }

  async #changed(): Promise<void> {
    await whileReachable(() => this.#publish(this.deps.keys.pausesChanged(), ''));
  }
}
