import type { TaskId } from '../domain/task-id.js';
import { Batch } from './batch.js';
import type { RedisClient } from './redis-connection.js';
import type { RedisKeys } from './redis-keys.js';
import { RedisTaskWalk } from './redis-task-walk.js';
import { type AgendaScripts, defineAgendaScripts } from './scripts/task-agenda.js';
import type { AgendaVerdict, Suspicion, TakenEntries, TaskAgenda } from './task-agenda.js';
import { whileReachable } from './unavailable.js';

/** An entry that is removed a little later harms nobody: it is not due before. */
const REMOVE_DELAY_MS = 50;

/** What the agenda works with. */
export interface RedisTaskAgendaDeps {
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  readonly onError: (error: unknown) => void;
}

/** `TaskAgenda` on Redis: sorted sets of task ids by date, one for each shard of task ids. */
export class RedisTaskAgenda implements TaskAgenda {
  readonly #scripts: AgendaScripts;
  readonly #walk: RedisTaskWalk;
  readonly #ended: Batch<TaskId>;
  readonly #shards: readonly string[];

  constructor(private readonly deps: RedisTaskAgendaDeps) {
    this.#scripts = defineAgendaScripts(deps.redis);
    this.#walk = new RedisTaskWalk(deps);
    this.#ended = new Batch(REMOVE_DELAY_MS, (taskIds) => this.#remove(taskIds), deps.onError);
    this.#shards = deps.keys.allUnfinished();
  }

  get shards(): number {
    return this.#shards.length;
  }

  async date(taskId: TaskId, inMs: number): Promise<void> {
    await whileReachable(() => this.#scripts.date(this.deps.keys.unfinished(taskId), taskId, inMs));
  }

  remove(taskId: TaskId): void {
    this.#ended.add(taskId);
  }

  flush(): Promise<void> {
    return this.#ended.flush();
  }

  async take(shard: number, limit: number, leaseMs: number): Promise<TakenEntries> {
    const [lease, size, due] = await whileReachable(() => this.#scripts.take(this.#key(shard), limit, leaseMs));
    return { shard, taskIds: due as TaskId[], lease: Number(lease), total: size * this.shards };
  }

  async settle({ shard, lease }: TakenEntries, verdicts: ReadonlyMap<TaskId, AgendaVerdict>): Promise<void> {
    if (verdicts.size === 0) return;
    await whileReachable(() => this.#scripts.settle(this.#key(shard), lease, [...verdicts]));
  }

  async ensure(taskIds: readonly TaskId[], suspicion: Suspicion): Promise<void> {
    const onlyIf = suspicion === 'all' ? 'LT' : 'NX';
    await whileReachable(() => Promise.all(this.#byShard(taskIds).map(([key, ids]) => this.#scripts.ensure(key, onlyIf, ids))));
  }

  async heal(): Promise<void> {
    await whileReachable(() => this.#walk.goOn((taskIds, suspicion) => this.ensure(taskIds, suspicion)));
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
