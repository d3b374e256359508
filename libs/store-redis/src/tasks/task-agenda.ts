import type { AgendaVerdict, OnTasks, Suspicion, TakenEntries } from '@longhaul/tasks/store';
import type { TaskAgenda, TaskId } from '@longhaul/tasks';
import { Batch, defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';
import { RedisTaskWalk } from './task-walk.js';
import { DATE, ENSURE, SETTLE, TAKE_DUE } from './task-agenda.lua.js';
import { whileReachable } from './store-fault.js';
import type { RedisWebhookOutbox } from './webhook-outbox.js';

/** An entry may be removed a little later without harm: it is not due before. */
const REMOVE_DELAY_MS = 50;

/** Dependencies of the agenda. */
export interface RedisTaskAgendaDeps {
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  /** The walk over all tasks looks for their webhooks too. */
  readonly webhooks: Pick<RedisWebhookOutbox, 'ensure'>;
  readonly onError: (error: unknown) => void;
}

/** `TaskAgenda` on Redis: sorted sets of task ids by date, one for each shard of task ids. */
export class RedisTaskAgenda implements TaskAgenda {
  readonly #date: RunScript<typeof DATE>;
  readonly #take: RunScript<typeof TAKE_DUE>;
  readonly #settle: RunScript<typeof SETTLE>;
  readonly #ensure: RunScript<typeof ENSURE>;
  readonly #walk: RedisTaskWalk;
  readonly #ended: Batch<TaskId>;
  readonly #shards: readonly string[];

  constructor(private readonly deps: RedisTaskAgendaDeps) {
    this.#date = defineScript(deps.redis, DATE);
    this.#take = defineScript(deps.redis, TAKE_DUE);
    this.#settle = defineScript(deps.redis, SETTLE);
    this.#ensure = defineScript(deps.redis, ENSURE);
    this.#walk = new RedisTaskWalk(deps);
    this.#ended = new Batch(REMOVE_DELAY_MS, (taskIds) => this.#remove(taskIds), deps.onError);
    this.#shards = deps.keys.allUnfinished();
  }

  get shards(): number {
    return this.#shards.length;
  }

  async date(taskId: TaskId, inMs: number): Promise<void> {
    await whileReachable(() => this.#date({ shard: this.deps.keys.unfinished(taskId) }, { taskId, inMs }));
  }

  async count(): Promise<number> {
    const { redis } = this.deps;
    const sizes = await whileReachable(() => Promise.all(this.#shards.map((shard) => redis.zcard(shard))));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  remove(taskId: TaskId): void {
    this.#ended.add(taskId);
  }

  flush(): Promise<void> {
    return this.#ended.flush();
  }

  async take(shard: number, limit: number, leaseMs: number): Promise<TakenEntries> {
    const { lease, size, due } = await whileReachable(() => this.#take({ shard: this.#key(shard) }, { limit, leaseMs }));
    return { shard, taskIds: due as TaskId[], lease, total: size * this.shards };
  }

  async settle({ shard, lease }: TakenEntries, verdicts: ReadonlyMap<TaskId, AgendaVerdict>): Promise<void> {
    if (verdicts.size === 0) return;
    await whileReachable(() => this.#settle({ shard: this.#key(shard) }, { lease }, [...verdicts].flat()));
  }

  async ensure(taskIds: readonly TaskId[], suspicion: Suspicion): Promise<void> {
    const onlyIf = suspicion === 'all' ? 'LT' : 'NX';
    await whileReachable(() => Promise.all(this.#byShard(taskIds).map(([shard, ids]) => this.#ensure({ shard }, { onlyIf }, ids))));
  }

  async heal(onTasks: OnTasks = async () => undefined): Promise<void> {
    await whileReachable(() =>
      this.#walk.goOn({
        onFound: (taskIds, suspicion) => this.ensure(taskIds, suspicion),
        onWebhooks: (taskIds) => this.deps.webhooks.ensure(taskIds),
        onTasks,
      }),
    );
  }

  async #remove(taskIds: readonly TaskId[]): Promise<void> {
    const { redis } = this.deps;
    await whileReachable(() => Promise.all(this.#byShard(taskIds).map(([key, ids]) => redis.zrem(key, ...ids))));
  }

  #byShard(taskIds: readonly TaskId[]): [key: string, taskIds: TaskId[]][] {
    return [...Map.groupBy(taskIds, (taskId) => this.deps.keys.unfinished(taskId))];
  }

  #key(shard: number): string {
    const key = this.#shards[shard];
    if (key === undefined) throw new RangeError(`There is no shard ${shard}; there are ${this.shards}.`);
    return key;
  }
}
