/** Reads what a run has left behind: the streams, the ledger, and every key that should not be there. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { connectRedisBackend } from '@longhaul/sessions/redis';
import { rowOf, type TaskBackend, type TaskEvent, type TaskId, type TaskIndexPosition } from '@longhaul/tasks';
import { RedisKeys } from '@longhaul/tasks/redis';
import { fold, Sweep, type TaskState, TaskWriter } from '@longhaul/tasks/testing';
import type { Redis } from 'ioredis';
import type { StoredTaskEvent } from '../support/legal-history.js';
import type { LedgerLine } from './features.js';

/** A task as it lies in Redis. */
export interface StoredTask {
  readonly taskId: TaskId;
  /** Ids of the stream's entries. */
  readonly ids: readonly string[];
  readonly stream: readonly StoredTaskEvent[];
  readonly state: TaskState;
  /** Fields of the view's hash. */
  readonly view: Readonly<Record<string, string>>;
}

const READ_AT_ONCE = 50;

/** Every task under the prefix. */
export async function readTasks(redis: Redis, prefix: string): Promise<ReadonlyMap<string, StoredTask>> {
  const ids = await taskIdsOf(redis, prefix);
  const keys = new RedisKeys(prefix);
  const tasks = new Map<string, StoredTask>();
  for (let first = 0; first < ids.length; first += READ_AT_ONCE)
    for (const task of await Promise.all(ids.slice(first, first + READ_AT_ONCE).map((taskId) => readTask(redis, keys, taskId))))
      tasks.set(task.taskId, task);
  return tasks;
}

async function taskIdsOf(redis: Redis, prefix: string): Promise<readonly TaskId[]> {
  const names = [...(await keysOf(redis, `${prefix}:{*}:events`))];
  return names.map((key) => key.slice(prefix.length + 2, -':events'.length - 1) as TaskId);
}

async function readTask(redis: Redis, keys: RedisKeys, taskId: TaskId): Promise<StoredTask> {
  const [entries, own, kept] = await Promise.all([
    redis.xrange(keys.events(taskId), '-', '+'),
    redis.hgetall(keys.view(taskId)),
    redis.hgetall(keys.keptView(taskId)),
  ]);
  const view = 'view' in own ? own : kept;
  const stream = entries.map(([, fields]) => storedEvent(fields));
  return { taskId, ids: entries.map(([id]) => id), stream, state: fold(stream.map(({ event }) => event)), view };
}

function storedEvent([, type, , data, , meta]: readonly string[]): StoredTaskEvent {
  const { at, epoch } = JSON.parse(meta ?? '{}') as { at: number; epoch?: number };
  const event = { type, at, data: JSON.parse(data ?? '{}') as unknown } as TaskEvent;
  return { event, ...(epoch !== undefined && { epoch }) };
}

/** All lines that the steps wrote. */
export async function readLedger(folder: string): Promise<readonly LedgerLine[]> {
  const lines: LedgerLine[] = [];
  for (const file of await readdir(folder))
    for (const line of (await readFile(join(folder, file), 'utf8')).split('\n'))
      if (line !== '') lines.push(JSON.parse(line) as LedgerLine);
  return lines;
}

/** What still waits to be done: jobs, and looks that are due. */
export async function openWork(redis: Redis, prefix: string): Promise<readonly string[]> {
  const keys = new RedisKeys(prefix);
  const queue = `${keys.queuePrefix()}:tasks`;
  const [waiting, active, ...sorted] = await Promise.all([
    redis.llen(`${queue}:wait`),
    redis.llen(`${queue}:active`),
    redis.zcard(`${queue}:delayed`),
    redis.zcard(`${queue}:prioritized`),
    redis.zcard(`${queue}:failed`),
  ]);
  const due = await Promise.all(keys.allUnfinished().map((key) => redis.zrange(key, '-inf', String(Date.now()), 'BYSCORE')));
  const jobs = await keysOf(redis, `${queue}:*-*-*-*-*`);
  const counts = { waiting, active, delayed: sorted[0], prioritized: sorted[1], failed: sorted[2] };
  return [
    ...Object.entries(counts).flatMap(([name, count]) => ((count ?? 0) > 0 ? [`${count} jobs ${name}`] : [])),
    ...[...jobs].map((key) => `job ${key}`),
    ...due.flat().map((taskId) => `look at ${taskId}`),
  ];
}

/** Has all tasks looked at that the agenda has. @returns the entries that are left then, rows of operators that are not as their tasks, and what was reported */
export async function sweepAll(redis: Redis, url: string, prefix: string): Promise<readonly string[]> {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const entries = async (): Promise<TaskId[]> => {
    const shards = await Promise.all(new RedisKeys(prefix).allUnfinished().map((key) => redis.zrange(key, '0', '-1')));
    return shards.flat() as TaskId[];
  };
  const backend = await connectRedisBackend({ url, prefix, role: 'worker', onError });
  try {
    await backend.agenda.ensure(await entries(), 'all');
    await new Sweep({ backend, writer: new TaskWriter({ backend, clock: Date.now, onError }), onError }).run();
    return [...(await entries()), ...(await falseRows(backend, await taskIdsOf(redis, prefix))), ...errors.map(String)];
  } finally {
    await backend.close();
  }
}

/** Rows of operators that say something else than the tasks, and those of which there is only one of both. */
async function falseRows({ events, operators }: TaskBackend, taskIds: readonly TaskId[]): Promise<readonly string[]> {
  const found = (await operators.missing(taskIds)).map((taskId) => `${taskId} has no row`);
  for (let after: TaskIndexPosition | undefined, isLast = false; !isLast;) {
    const { rows, next } = await operators.page({}, 500, after);
    const views = await events.views(
      rows.map(({ taskId }) => taskId),
      'operator',
    );
    for (const [at, row] of rows.entries()) {
      const view = views[at];
      // A row may stand for an earlier version that says the same, and has the time of another clock.
      const { viewVersion, goneAt } = row;
      const { goneAt: _, ...expected } = view === undefined ? {} : { ...rowOf(view), viewVersion };
      if (!isDeepStrictEqual(row, { ...expected, ...(goneAt !== undefined && { goneAt }) }))
        found.push(`a false row: ${JSON.stringify(row)}`);
    }
    [after, isLast] = [next, next === undefined];
  }
  return found;
}

/** Keys that would stay for ever, but for those that are permanent by design. */
export async function keysWithoutTtl(redis: Redis, prefix: string): Promise<readonly string[]> {
  const keys = [...(await keysOf(redis, `${prefix}:*`))];
  const ttls = await Promise.all(keys.map((key) => redis.pttl(key)));
  const permanent = new Set([`${prefix}:secret`, `${prefix}:lists`]);
  const lasts = [`${prefix}:unfinished:`, `${prefix}:{rows:`];
  return keys.filter((key, index) => ttls[index] === -1 && !lasts.some((start) => key.startsWith(start)) && !permanent.has(key));
}

async function keysOf(redis: Redis, pattern: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const batch of redis.scanStream({ match: pattern, count: 1_000 })) for (const key of batch as string[]) found.add(key);
  return found;
}
