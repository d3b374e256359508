import type { QueueDepth } from '@longhaul/tasks';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import { QUEUE_NAME } from './bullmq-settings.js';
import type { RedisKeys } from './keys.js';
import { LOOKED_AT_LANES, QUEUE_DEPTH } from './task-load.lua.js';

/** How many jobs there are in each queue. Rejects with the errors of ioredis. */
export class QueueDepths {
  readonly #depth: RunScript<typeof QUEUE_DEPTH>;

  constructor(
    redis: RedisClient,
    private readonly keys: RedisKeys,
  ) {
    this.#depth = defineScript(redis, QUEUE_DEPTH);
  }

  of(queue: number): Promise<QueueDepth> {
    const prefix = `${this.keys.queuePrefix(queue)}:${QUEUE_NAME}:`;
    const { jobs, lanes, linePrefix } = this.keys.fairOrder(queue);
    const { setAside, asidePrefix } = this.keys.queuePauses(queue);
    const { held, heldPrefix } = this.keys.runningLimits(queue);
    const lists = { waiting: `${prefix}wait`, active: `${prefix}active`, delayed: `${prefix}delayed` };
    return this.#depth(
      { ...lists, jobs, lanes, setAside, held },
      { jobPrefix: prefix, linePrefix, asidePrefix, heldPrefix, mostLanes: LOOKED_AT_LANES },
    );
  }

  async isEmpty(queue: number): Promise<boolean> {
    const { waiting, setAside, delayed, running } = await this.of(queue);
    return waiting + setAside + delayed + running === 0;
  }
}
