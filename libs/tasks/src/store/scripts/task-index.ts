/** The scripts of the index; each touches the keys of one owner, under one hash tag. */
import type { RedisClient } from '../redis-connection.js';
import { REFUSED_WHEN_FULL } from './when-full.js';

/** What a task takes is noted by `note`, and no more by 0; `drop` drops tasks that are gone; `drop_expired` up to so many whose time is over. */
const BYTES = `
local function note(bytes, task_id, taken)
  local was = tonumber(redis.call('HGET', bytes, task_id) or '0')
  if taken == was then return end
  if taken == 0 then redis.call('HDEL', bytes, task_id) else redis.call('HSET', bytes, task_id, taken) end
  redis.call('HINCRBY', bytes, 'total', taken - was)
end
local function total(bytes)
  return tonumber(redis.call('HGET', bytes, 'total') or '0')
end
local function drop(sets, bytes, task_ids)
  for _, set in ipairs(sets) do redis.call('ZREM', set, unpack(task_ids)) end
  for _, task_id in ipairs(task_ids) do note(bytes, task_id, 0) end
end
local function drop_expired(tasks, expiring, bytes, limit)
  local time = redis.call('TIME')
  local now = string.format('%d', tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000))
  local expired = redis.call('ZRANGE', expiring, '-inf', now, 'BYSCORE', 'LIMIT', 0, limit)
  if #expired > 0 then drop({tasks, expiring}, bytes, expired) end
  return #expired
end
-- A total that is out of date refuses nobody.
local function drop_while_over(tasks, expiring, bytes, limit_bytes)
  while total(bytes) > limit_bytes and drop_expired(tasks, expiring, bytes, 1000) > 0 do end
end
`;

/**
 * One script, because count and registration must be one step for the limits to hold among gateways,
 * a task is never dropped from one of the sets only, and no set is left without TTL.
 */
const REGISTER = `
local tasks, expiring, implicit, bytes, minute = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local task_id, created_at, drop_limit, ttl_ms, is_implicit, max_tasks, max_per_minute, taken, max_bytes =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
drop_expired(tasks, expiring, bytes, drop_limit)
local live = redis.call('ZCARD', tasks) - redis.call('ZCARD', expiring) + redis.call('ZCARD', implicit)
if live >= max_tasks then return {'too-many-tasks', 0} end
if total(bytes) + taken > max_bytes then
  drop_while_over(tasks, expiring, bytes, max_bytes - taken)
  if total(bytes) + taken > max_bytes then return {'too-many-bytes', 0} end
end
if tonumber(redis.call('GET', minute) or '0') >= max_per_minute then return {'too-many-per-minute', redis.call('PTTL', minute)} end
if redis.call('INCR', minute) == 1 then redis.call('PEXPIRE', minute, 60000) end
local set = is_implicit == '1' and implicit or tasks
redis.call('ZADD', set, created_at, task_id)
redis.call('PEXPIRE', set, ttl_ms)
redis.call('PEXPIRE', expiring, ttl_ms)
if taken > 0 then
  note(bytes, task_id, taken)
  redis.call('PEXPIRE', bytes, ttl_ms)
end
return {'registered', 0}
`;

/** One script, because nothing may be noted of a task that has just been dropped: nobody would drop it again. */
const COUNT = `
local tasks, expiring, implicit, bytes = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local task_id, taken, limit_bytes, ttl_ms = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
if redis.call('ZSCORE', tasks, task_id) or redis.call('ZSCORE', implicit, task_id) then
  note(bytes, task_id, taken)
  redis.call('PEXPIRE', bytes, ttl_ms)
end
drop_while_over(tasks, expiring, bytes, limit_bytes)
return total(bytes)
`;

/** One script, because a task must not be counted in one place and forgotten in another. */
const FORGET = `
drop({KEYS[1], KEYS[2], KEYS[3]}, KEYS[4], ARGV)
return redis.status_reply('OK')
`;

/** One script, so that no set is left without TTL, and an implicit task is dropped without a look first. */
const RETIRE = `
local tasks, expiring, implicit, bytes = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local task_id, kept_ms, ttl_ms = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
if redis.call('ZREM', implicit, task_id) == 1 then
  note(bytes, task_id, 0)
  return redis.status_reply('OK')
end
redis.call('ZADD', expiring, string.format('%d', now + kept_ms), task_id)
redis.call('PEXPIRE', expiring, ttl_ms)
redis.call('PEXPIRE', tasks, ttl_ms)
redis.call('PEXPIRE', bytes, ttl_ms)
return redis.status_reply('OK')
`;

/**
 * One script, because the rank of the cursor and the range after it must be of the same moment. A
 * cursor whose task is gone is put in for the time of the script: that finds its rank in O(log n)
 * however many tasks share its creation time, and nobody can see it.
 */
const PAGE = `
local tasks = KEYS[1]
local limit, after_created_at, after_task_id = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local start = 0
if after_task_id ~= '' then
  local added = redis.call('ZADD', tasks, 'NX', after_created_at, after_task_id)
  start = redis.call('ZREVRANK', tasks, after_task_id) + 1 - added
  if added == 1 then redis.call('ZREM', tasks, after_task_id) end
end
return redis.call('ZRANGE', tasks, start, start + limit - 1, 'REV', 'WITHSCORES')
`;

interface WithIndexScripts {
  longhaulRegister(...args: (string | number)[]): Promise<[string, number]>;
  longhaulRetire(...args: (string | number)[]): Promise<'OK'>;
  longhaulCountBytes(...args: (string | number)[]): Promise<number>;
  longhaulForget(...args: (string | number)[]): Promise<'OK'>;
  longhaulPage(...args: (string | number)[]): Promise<string[]>;
}

/** The keys of one owner. */
export interface OwnerKeys {
  readonly tasks: string;
  readonly expiring: string;
  readonly implicit: string;
  readonly bytes: string;
  readonly minute: string;
}

/** The arguments of a registration by name. `createdAt` is epoch milliseconds, for the order of the list. */
export interface RegisterArguments {
  readonly taskId: string;
  readonly createdAt: number;
  readonly dropLimit: number;
  readonly ttlMs: number;
  readonly implicit: boolean;
  readonly concurrentTasks: number;
  readonly tasksPerMinute: number;
  /** What its history takes. */
  readonly bytes: number;
  /** What those of all tasks of the owner may take. */
  readonly historyBytes: number;
}

/** The arguments of a count by name. */
export interface CountArguments {
  readonly taskId: string;
  readonly bytes: number;
  readonly limitBytes: number;
  readonly ttlMs: number;
}

/** The only callers of the scripts. */
export interface IndexScripts {
  register(keys: OwnerKeys, args: RegisterArguments): Promise<[verdict: string, retryAfterMs: number]>;
  retire(keys: OwnerKeys, taskId: string, keptMs: number, ttlMs: number): Promise<unknown>;
  /** @returns what the tasks of the owner take */
  countBytes(keys: OwnerKeys, args: CountArguments): Promise<number>;
  forget(keys: OwnerKeys, taskIds: readonly string[]): Promise<unknown>;
  /** Members and scores in turn, newest first. */
  page(keys: OwnerKeys, limit: number, afterCreatedAt: number, afterTaskId: string): Promise<string[]>;
}

/** Defines the scripts on the client. */
export function defineIndexScripts(redis: RedisClient): IndexScripts {
  redis.defineCommand('longhaulRegister', { numberOfKeys: 5, lua: REFUSED_WHEN_FULL + BYTES + REGISTER });
  redis.defineCommand('longhaulRetire', { numberOfKeys: 4, lua: BYTES + RETIRE });
  redis.defineCommand('longhaulCountBytes', { numberOfKeys: 4, lua: BYTES + COUNT });
  redis.defineCommand('longhaulForget', { numberOfKeys: 4, lua: BYTES + FORGET });
  redis.defineCommand('longhaulPage', { numberOfKeys: 1, lua: PAGE });
  const client = redis as RedisClient & WithIndexScripts;
  return {
    register: (keys, args) =>
      client.longhaulRegister(
        keys.tasks,
        keys.expiring,
        keys.implicit,
        keys.bytes,
        keys.minute,
        args.taskId,
        args.createdAt,
        args.dropLimit,
        args.ttlMs,
        args.implicit ? 1 : 0,
        args.concurrentTasks,
        args.tasksPerMinute,
        args.bytes,
        args.historyBytes,
      ),
    retire: (keys, taskId, keptMs, ttlMs) =>
      client.longhaulRetire(keys.tasks, keys.expiring, keys.implicit, keys.bytes, taskId, keptMs, ttlMs),
    countBytes: ({ tasks, expiring, implicit, bytes }, args) =>
      client.longhaulCountBytes(tasks, expiring, implicit, bytes, args.taskId, args.bytes, args.limitBytes, args.ttlMs),
    forget: ({ tasks, expiring, implicit, bytes }, taskIds) => client.longhaulForget(tasks, expiring, implicit, bytes, ...taskIds),
    page: (keys, limit, afterCreatedAt, afterTaskId) => client.longhaulPage(keys.tasks, limit, afterCreatedAt, afterTaskId),
  };
}
