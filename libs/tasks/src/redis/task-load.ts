import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import type { OverdueEntries, QueueDepth, TaskLoad } from '../ports/task-load.js';
import { QUEUE_NAME } from './bullmq-settings.js';
import type { RedisKeys } from './keys.js';
import { LOOKED_AT_LANES, OVERDUE, QUEUE_DEPTH } from './scripts/task-load.js';
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
    const prefix = `${this.keys.queuePrefix()}:${QUEUE_NAME}:`;
    const { jobs, lanes, linePrefix } = this.keys.fairOrder();
    const { setAside, asidePrefix } = this.keys.queuePauses();
    const lists = { waiting: `${prefix}wait`, active: `${prefix}active`, delayed: `${prefix}delayed` };
    return whileReachable(() =>
      this.#depth({ ...lists, jobs, lanes, setAside }, { jobPrefix: prefix, linePrefix, asidePrefix, mostLanes: LOOKED_AT_LANES }),
    );
  }

  async overdue(): Promise<OverdueEntries> {
    const shards = await whileReachable(() => Promise.all(this.keys.allUnfinished().map((shard) => this.#overdue({ shard }, {}))));
    const count = shards.reduce((sum, shard) => sum + shard.count, 0);
    return { count, ...(count > 0 && { oldestMs: Math.max(...shards.map(({ oldestMs }) => oldestMs)) }) };
  }
}
