import type { PauseName } from '@longhaul/tasks';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import { QUEUE_NAME } from './bullmq-settings.js';
import type { RedisKeys } from './keys.js';
import { FIRST_QUEUE } from './queue-numbers.js';
import { SET_ASIDE } from './queue-pauses.lua.js';

/** What a worker sets aside of the jobs of one queue, while they are paused. */
export class SetAside {
  readonly #setAside: RunScript<typeof SET_ASIDE>;

  constructor(
    private readonly redis: RedisClient,
    private readonly keys: RedisKeys,
    private readonly queue: number,
  ) {
    this.#setAside = defineScript(redis, SET_ASIDE);
  }

  /** @returns whether the job is set aside; not when its pause is over, or the worker has lost it */
  async add(jobId: string, token: string, name: PauseName): Promise<{ readonly isSetAside: boolean; readonly isLost: boolean }> {
    const first = await this.#add(jobId, token, name);
    if (first.isSetAside || first.isLost || !(await this.#isCopyOld(name))) return first;
    await this.redis.sadd(this.keys.queuePauses(this.queue).paused, name);
    return this.#add(jobId, token, name);
  }

  #add(jobId: string, token: string, name: PauseName): Promise<{ readonly isSetAside: boolean; readonly isLost: boolean }> {
    const queueKey = `${this.keys.queuePrefix(this.queue)}:${QUEUE_NAME}`;
    const { asidePrefix, ...sets } = this.keys.queuePauses(this.queue);
    const keys = { ...sets, active: `${queueKey}:active`, stalled: `${queueKey}:stalled` };
    return this.#setAside(keys, { name, jobId, token, jobPrefix: `${queueKey}:`, asidePrefix });
  }

  /** Whether the pause goes on, which the queue has not heard of yet. */
  async #isCopyOld(name: PauseName): Promise<boolean> {
    if (this.queue === FIRST_QUEUE) return false;
    return (await this.redis.sismember(this.keys.queuePauses().paused, name)) === 1;
  }
}
