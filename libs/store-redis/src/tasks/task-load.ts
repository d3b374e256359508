import type { OverdueEntries, QueueDepth, TaskLoad } from '@longhaul/tasks';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';
import { LOOKED_AT_LANES, OVERDUE, QUEUE_DEPTH } from './task-load.lua.js';
import { whileReachable } from './store-fault.js';

/** `TaskLoad` on Redis. */
export class RedisTaskLoad implements TaskLoad {
  readonly #depth: RunScript<typeof QUEUE_DEPTH>;
  readonly #overdue: RunScript<typeof OVERDUE>;

  constructor(
    redis: RedisClient,
    private readonly keys: RedisKeys,
  ) {
    this.#depth = defineScript(redis, QUEUE_DEPTH);
    this.#overdue = defineScript(redis, OVERDUE);
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

  async overdue(): Promise<OverdueEntries> {
    const shards = await whileReachable(() => Promise.all(this.keys.allUnfinished().map((shard) => this.#overdue({ shard }, {}))));
    const count = shards.reduce((sum, shard) => sum + shard.count, 0);
    return { count, ...(count > 0 && { oldestMs: Math.max(...shards.map(({ oldestMs }) => oldestMs)) }) };
  }
}
