import type { OverdueEntries, QueueDepth, TaskLoad } from '@longhaul/tasks';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import type { RedisKeys } from './keys.js';
import type { KnownQueues } from './known-queues.js';
import { QueueDepths } from './queue-depths.js';
import { OVERDUE } from './task-load.lua.js';
import { whileReachable } from './store-fault.js';

/** `TaskLoad` on Redis. */
export class RedisTaskLoad implements TaskLoad {
  readonly #depths: QueueDepths;
  readonly #overdue: RunScript<typeof OVERDUE>;

  constructor(
    redis: RedisClient,
    private readonly keys: RedisKeys,
    private readonly queues: KnownQueues,
  ) {
    this.#depths = new QueueDepths(redis, keys);
    this.#overdue = defineScript(redis, OVERDUE);
  }

  async queue(): Promise<QueueDepth> {
    const depths = await whileReachable(() => Promise.all(this.queues.all.map((queue) => this.#depths.of(queue))));
    const total = { waiting: 0, setAside: 0, delayed: 0, running: 0 };
    const waits: number[] = [];
    for (const { waiting, setAside, delayed, running, oldestWaitMs } of depths) {
      total.waiting += waiting;
      total.setAside += setAside;
      total.delayed += delayed;
      total.running += running;
      if (oldestWaitMs !== undefined) waits.push(oldestWaitMs);
    }
    return { ...total, ...(waits.length > 0 && { oldestWaitMs: Math.max(...waits) }) };
  }

  async overdue(): Promise<OverdueEntries> {
    const shards = await whileReachable(() => Promise.all(this.keys.allUnfinished().map((shard) => this.#overdue({ shard }, {}))));
    const count = shards.reduce((sum, shard) => sum + shard.count, 0);
    return { count, ...(count > 0 && { oldestMs: Math.max(...shards.map(({ oldestMs }) => oldestMs)) }) };
  }
}
