import type { PauseName } from '@longhaul/tasks';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';
import { SET_ASIDE } from './queue-pauses.lua.js';

/** Sets a worker's jobs aside while they are paused. */
export class SetAside {
  readonly #setAside: RunScript<typeof SET_ASIDE>;

  constructor(
    redis: RedisClient,
    private readonly keys: RedisKeys,
  ) {
    this.#setAside = defineScript(redis, SET_ASIDE);
  }

  /** @returns whether the job is set aside; not when its pause ended, or the worker has lost it */
  add(jobId: string, token: string, name: PauseName): Promise<{ readonly isSetAside: boolean; readonly isLost: boolean }> {
    const { active, stalled, jobPrefix } = this.keys.jobs();
    const { asidePrefix, ...sets } = this.keys.queuePauses();
    return this.#setAside({ ...sets, active, stalled }, { name, jobId, token, jobPrefix, asidePrefix });
  }
}
