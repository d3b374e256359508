/**
 * Implements the operators' index on Redis, in shards by task id, so that on a cluster no master has all of it. A page takes one script on
 * each shard, all at the same time: the rows that they find are sorted here, as far as all shards have looked.
 *
 * On one server rows are written by the script of the append. On a cluster, where task and shard lie in different slots, they follow it
 * together a moment later; the sweep repairs rows that are lost on the way.
 */
import { newestFirst } from '@longhaul/tasks/store';
import {
  type FailureGroup,
  type FailureTimes,
  MAX_CANDIDATES,
  type OperatorIndex,
  ROW_STATUSES,
  type RowCounts,
  type RowStatus,
  type TaskFilter,
  type TaskId,
  type TaskIndexPosition,
  type TaskRow,
  type TaskRowPage,
} from '@longhaul/tasks';
import { Batch, defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';
import { COUNT_ROWS, DROP, FAILURE_TIMES, NOTE_RETRY, PAGE_OF_ROWS, PUT_ROWS } from './operator-index.lua.js';
import { rowFrom, storedRow } from './operator-rows.lua.js';
import { whileReachable } from './store-fault.js';

/** How long a row may wait for others after its append. */
const WRITE_DELAY_MS = 20;

/** Dependencies of the index. */
export interface RedisOperatorIndexDeps {
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  readonly onError: (error: unknown) => void;
}

/** `OperatorIndex` on Redis. */
export class RedisOperatorIndex implements OperatorIndex {
  readonly #put: RunScript<typeof PUT_ROWS>;
  readonly #drop: RunScript<typeof DROP>;
  readonly #noteRetry: RunScript<typeof NOTE_RETRY>;
  readonly #page: RunScript<typeof PAGE_OF_ROWS>;
  readonly #counts: RunScript<typeof COUNT_ROWS>;
  readonly #failureTimes: RunScript<typeof FAILURE_TIMES>;
  readonly #shards: readonly string[];
  readonly #waiting: Batch<TaskRow>;

  constructor(private readonly deps: RedisOperatorIndexDeps) {
    this.#put = defineScript(deps.redis, PUT_ROWS);
    this.#drop = defineScript(deps.redis, DROP);
    this.#noteRetry = defineScript(deps.redis, NOTE_RETRY);
    this.#page = defineScript(deps.redis, PAGE_OF_ROWS);
    this.#counts = defineScript(deps.redis, COUNT_ROWS);
    this.#failureTimes = defineScript(deps.redis, FAILURE_TIMES);
    this.#shards = deps.keys.allRows();
    this.#waiting = new Batch(WRITE_DELAY_MS, (rows) => this.put(rows), deps.onError);
  }

  /** Writes the row of an append soon; the sweep writes a lost one again. */
  note(row: TaskRow): void {
    this.#waiting.add(row);
  }

  /** Writes waiting rows at once. */
  flush(): Promise<void> {
    return this.#waiting.flush();
  }

  async page(filter: TaskFilter, limit: number, after?: TaskIndexPosition): Promise<TaskRowPage> {
    const args = {
      ...filter,
      searchKeys: filter.searchKeys?.map((keys) => keys.join()).join(' '),
      statuses: (filter.status ?? ROW_STATUSES).join(),
      // Ids are random, so twice its share of a page is nearly always enough of a shard.
      limit: Math.min(limit, 2 * Math.ceil(limit / this.#shards.length) + 4),
      maxLooks: Math.ceil(MAX_CANDIDATES / this.#shards.length),
      from: filter.createdFrom ?? 0,
      before: filter.createdBefore,
      afterTaskId: after?.taskId,
      afterCreatedAt: after?.createdAt,
    };
    const parts = await whileReachable(() => Promise.all(this.#shards.map((rows) => this.#page({ rows }, args))));
    const found = parts.flatMap(({ found: idsAndRows }) => rowsOf(idsAndRows)).sort(newestFirst);
    // A shard may have rows behind the position where it stopped, which it did not look at.
    const stops = parts.filter(({ hasMore }) => hasMore).map(({ lastId, lastAt }) => ({ taskId: lastId as TaskId, createdAt: lastAt }));
    const [stop] = stops.sort(newestFirst);
    const known = stop === undefined ? found : found.filter((row) => newestFirst(row, stop) <= 0);
    const rows = known.slice(0, limit);
    const last = rows.at(-1);
    if (last !== undefined && known.length > limit) return { rows, next: { createdAt: last.createdAt, taskId: last.taskId } };
    return stop === undefined ? { rows } : { rows, next: stop };
  }

  async counts(): Promise<RowCounts> {
    const parts = await whileReachable(() => Promise.all(this.#shards.map((rows) => this.#counts({ rows }, {}, ROW_STATUSES))));
    const byStatus = ROW_STATUSES.map((status, at) => [status, parts.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0)]);
    const groups = new Map<string, FailureGroup>();
    for (const { failures, failedAt } of parts) {
      const times = new Map(pairsOf(failedAt));
      for (const [group, count] of pairsOf(failures))
        groups.set(group, added(groups.get(group), group, Number(count), Number(times.get(group) ?? 0)));
    }
    const failures = [...groups.values()].sort((left, right) => right.count - left.count || right.latestAt - left.latestAt);
    return { byStatus: Object.fromEntries(byStatus) as Record<RowStatus, number>, failures };
  }

  async oldest(status: RowStatus, limit: number): Promise<readonly TaskId[]> {
    const sets = this.#shards.map((rows) => `${rows}:status:${status}`);
    const found = await whileReachable(() =>
      Promise.all(sets.map((set) => this.deps.redis.zrange(set, '0', String(limit - 1), 'WITHSCORES'))),
    );
    const tasks = found.flatMap((flat) => pairsOf(flat)).map(([taskId, at]) => ({ taskId: taskId as TaskId, createdAt: Number(at) }));
    return tasks
      .sort((left, right) => newestFirst(right, left))
      .slice(0, limit)
      .map(({ taskId }) => taskId);
  }

  async failureTimes(causes: readonly string[], fromHour: number, count: number): Promise<ReadonlyMap<string, FailureTimes>> {
    if (causes.length === 0) return new Map();
    const parts = await whileReachable(() =>
      Promise.all(this.#shards.map((rows) => this.#failureTimes({ rows }, { fromHour, count }, causes))),
    );
    return new Map(
      causes.flatMap((cause, at) =>
        timesOf(
          cause,
          parts.flatMap((part) => part[at] ?? []),
        ),
      ),
    );
  }

  async put(rows: readonly TaskRow[]): Promise<void> {
    const byShard = Map.groupBy(rows, ({ taskId }) => this.deps.keys.rows(taskId));
    const argumentsOf = (row: TaskRow) => [row.taskId, storedRow(row), row.goneAt ?? ''];
    await whileReachable(() =>
      Promise.all([...byShard].map(([key, ofShard]) => this.#put({ rows: key }, {}, ofShard.flatMap(argumentsOf)))),
    );
  }

  async drop(taskIds: readonly TaskId[]): Promise<void> {
    await whileReachable(() => Promise.all(this.#byShard(taskIds).map(([rows, ids]) => this.#drop({ rows }, {}, ids))));
  }

  async noteRetry({ taskId }: TaskRow, retryId: TaskId): Promise<void> {
    await whileReachable(() => this.#noteRetry({ rows: this.deps.keys.rows(taskId) }, { taskId, retryId }));
  }

  async retries(taskIds: readonly TaskId[]): Promise<ReadonlyMap<TaskId, TaskId>> {
    const { redis } = this.deps;
    const parts = await whileReachable(() =>
      Promise.all(
        this.#byShard(taskIds).map(async ([rows, ids]) => {
          const found = await redis.hmget(`${rows}:retried`, ...ids);
          return ids.flatMap((id, at): [TaskId, TaskId][] => (typeof found[at] === 'string' ? [[id, found[at] as TaskId]] : []));
        }),
      ),
    );
    return new Map(parts.flat());
  }

  async missing(taskIds: readonly TaskId[]): Promise<readonly TaskId[]> {
    const { redis } = this.deps;
    const missing = await whileReachable(() =>
      Promise.all(
        this.#byShard(taskIds).map(async ([rows, ids]) => {
          const found = await redis.hmget(rows, ...ids);
          return ids.filter((_, at) => found[at] === null);
        }),
      ),
    );
    return missing.flat();
  }

  #byShard(taskIds: readonly TaskId[]): [key: string, taskIds: TaskId[]][] {
    return [...Map.groupBy(taskIds, (taskId) => this.deps.keys.rows(taskId))];
  }
}

/** Reads ids and rows in turn. */
function rowsOf(idsAndRows: readonly string[]): TaskRow[] {
  return pairsOf(idsAndRows).map(([taskId, json]) => rowFrom(taskId as TaskId, json));
}

function pairsOf(flat: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) pairs.push([flat[at] ?? '', flat[at + 1] ?? '']);
  return pairs;
}

/** Adds the numbers of another shard to a group. */
function added(to: FailureGroup | undefined, group: string, count: number, latestAt: number): FailureGroup {
  const [cause, tool, reason] = JSON.parse(group) as [cause: string, tool: string, reason: string];
  return { cause, tool, reason, count: (to?.count ?? 0) + count, latestAt: Math.max(to?.latestAt ?? 0, latestAt) };
}

/** Of a shard: with the creation of its newest task, whose id is empty if it has none. */
interface TimesOfShard extends Omit<FailureTimes, 'newest'> {
  readonly newest: string;
  readonly createdAt: number;
}

/** The times of a group over all shards that have tasks of it. */
function timesOf(cause: string, shards: readonly TimesOfShard[]): [string, FailureTimes][] {
  const present = shards.filter(({ newest }) => newest !== '').toSorted((left, right) => right.createdAt - left.createdAt);
  const [latest] = present;
  if (latest === undefined) return [];
  const firstAt = Math.min(...present.map((times) => times.firstAt));
  const hours = latest.hours.map((_, at) => present.reduce((sum, times) => sum + (times.hours[at] ?? 0), 0));
  return [[cause, { newest: latest.newest as TaskId, firstAt, hours }]];
}
