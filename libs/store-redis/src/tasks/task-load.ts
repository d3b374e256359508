import type { HeldBack, OverdueEntries, QueueDepth, TaskJob, TaskLoad } from '@longhaul/tasks';
import { soughtIdsOf } from '@longhaul/tasks/store';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';
import { HELD_BACK, LOOKED_AT_LANES, OVERDUE, QUEUE_DEPTH } from './task-load.lua.js';
import { kindOfLimit } from './running-limits.js';
import { whileReachable } from './store-fault.js';

/** `TaskLoad` on Redis. */
export class RedisTaskLoad implements TaskLoad {
  readonly #depth: RunScript<typeof QUEUE_DEPTH>;
  readonly #overdue: RunScript<typeof OVERDUE>;
  readonly #heldBack: RunScript<typeof HELD_BACK>;

  constructor(
    redis: RedisClient,
    private readonly keys: RedisKeys,
  ) {
    this.#depth = defineScript(redis, QUEUE_DEPTH);
    this.#overdue = defineScript(redis, OVERDUE);
    this.#heldBack = defineScript(redis, HELD_BACK);
  }

  queue(): Promise<QueueDepth> {
    const { waiting, active, delayed, jobPrefix } = this.keys.jobs();
    const { jobs, lanes, linePrefix } = this.keys.fairOrder();
    const { setAside, asidePrefix } = this.keys.queuePauses();
    const { held, heldPrefix } = this.keys.runningLimits();
    return whileReachable(() =>
      this.#depth(
        { waiting, active, delayed, jobs, lanes, setAside, held },
        { jobPrefix, linePrefix, asidePrefix, heldPrefix, mostLanes: LOOKED_AT_LANES },
      ),
    );
  }

  async heldBack(job: Pick<TaskJob, 'taskId' | 'pass'>): Promise<HeldBack | undefined> {
    const { held, heldPrefix } = this.keys.runningLimits();
    const { jobPrefix } = this.keys.jobs();
    const ids = soughtIdsOf({ ...job, mayBeDelayed: true });
    const found = await whileReachable(() => this.#heldBack({ held }, { jobPrefix, heldPrefix }, ids));
    return found && { by: kindOfLimit(found.name), ahead: found.ahead };
  }

  async overdue(): Promise<OverdueEntries> {
    const shards = await whileReachable(() => Promise.all(this.keys.allUnfinished().map((shard) => this.#overdue({ shard }, {}))));
    const count = shards.reduce((sum, shard) => sum + shard.count, 0);
    return { count, ...(count > 0 && { oldestMs: Math.max(...shards.map(({ oldestMs }) => oldestMs)) }) };
  }
}
