import { type PausedWork, pauseName, type QueuePauses, type Unsubscribe } from '@longhaul/tasks';
import { pausedWork } from '@longhaul/tasks/store';
import { definePublish, defineScript, type Publish, type RedisClient, type RedisSubscriptions, type RunScript } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';
import { PUT_BACK } from './queue-pauses.lua.js';
import { whileReachable } from './store-fault.js';

/** Dependencies of the pauses. */
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
    const { waiting, marker, jobPrefix } = keys.jobs();
    const { asidePrefix, ...sets } = keys.queuePauses();
    return whileReachable(() => this.#putBack({ ...sets, waiting, marker }, { jobPrefix, asidePrefix, limit }));
  }

  async #changed(): Promise<void> {
    await whileReachable(() => this.#publish(this.deps.keys.pausesChanged(), ''));
  }
}
