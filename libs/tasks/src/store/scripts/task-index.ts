/** The scripts of the index; each touches the keys of one account, under one hash tag, or on one server of several. */
import type { RedisClient } from '../redis-connection.js';
import type { OwnerLimits } from '../task-index.js';
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
local now
local function now_ms()
  if not now then
    local time = redis.call('TIME')
    now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  end
  return now
end
local function drop_expired(tasks, expiring, bytes, limit)
  local expired = redis.call('ZRANGE', expiring, '-inf', string.format('%d', now_ms()), 'BYSCORE', 'LIMIT', 0, limit)
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
 * a task is never dropped from one of the sets only, and no set is left without TTL. Of several accounts
 * all count the task, or none does.
 */
const REGISTER = `
local task_id, created_at, drop_limit, ttl_ms, is_implicit, taken, drop_every =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
local accounts = #KEYS / 5
local were_empty, held_nothing = {}, {}
local function account(number)
  local key, limit = 5 * (number - 1), 7 + 3 * (number - 1)
  return KEYS[key + 1], KEYS[key + 2], KEYS[key + 3], KEYS[key + 4], KEYS[key + 5],
    tonumber(ARGV[limit + 1]), tonumber(ARGV[limit + 2]), tonumber(ARGV[limit + 3])
end
for number = 1, accounts do
  local tasks, expiring, implicit, bytes, minute, max_tasks, max_per_minute, max_bytes = account(number)
  local registered = tonumber(redis.call('GET', minute) or '0')
  -- Not each time, but as many as if it were.
  if registered % drop_every == 0 then drop_expired(tasks, expiring, bytes, drop_limit) end
  local listed, unlisted, held = redis.call('ZCARD', tasks), redis.call('ZCARD', implicit), total(bytes)
  if listed - redis.call('ZCARD', expiring) + unlisted >= max_tasks then return {'too-many-tasks', number, 0} end
  if held + taken > max_bytes then
    drop_while_over(tasks, expiring, bytes, max_bytes - taken)
    if total(bytes) + taken > max_bytes then return {'too-many-bytes', number, 0} end
  end
  if registered >= max_per_minute then return {'too-many-per-minute', number, redis.call('PTTL', minute)} end
  were_empty[number] = (is_implicit == '1' and unlisted or listed) == 0
  held_nothing[number] = held == 0
end
for number = 1, accounts do
  local tasks, expiring, implicit, bytes, minute = account(number)
  local set = is_implicit == '1' and implicit or tasks
  redis.call('ZADD', set, created_at, task_id)
  -- Once a minute is enough for a time to live of days.
  local is_first = redis.call('INCR', minute) == 1
  if is_first then redis.call('PEXPIRE', minute, 60000) end
  if is_first or were_empty[number] then redis.call('PEXPIRE', set, ttl_ms) end
  if taken > 0 then
    if redis.call('HSETNX', bytes, task_id, taken) == 1 then
      redis.call('HINCRBY', bytes, 'total', taken)
    else
      note(bytes, task_id, taken)
    end
    if is_first or held_nothing[number] then redis.call('PEXPIRE', bytes, ttl_ms) end
  end
end
return {'registered', 0, 0}
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
local task_id, kept_ms, ttl_ms = ARGV[1], tonumber(ARGV[2]), ARGV[3]
for key = 1, #KEYS, 4 do
  local tasks, expiring, implicit, bytes = KEYS[key], KEYS[key + 1], KEYS[key + 2], KEYS[key + 3]
  if redis.call('ZREM', implicit, task_id) == 1 then
    note(bytes, task_id, 0)
  else
    redis.call('ZADD', expiring, string.format('%d', now_ms() + kept_ms), task_id)
    redis.call('PEXPIRE', expiring, ttl_ms)
  end
end
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
  longhaulRegister(...args: (string | number)[]): Promise<RegisterReply>;
  longhaulRetire(...args: (string | number)[]): Promise<'OK'>;
  longhaulCountBytes(...args: (string | number)[]): Promise<number>;
  longhaulForget(...args: (string | number)[]): Promise<'OK'>;
  longhaulPage(...args: (string | number)[]): Promise<string[]>;
}

/** The keys of one account. */
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
  /** At most so many expired ids are dropped, once in `dropEvery` registrations, the first of a minute among them. */
  readonly dropLimit: number;
  readonly dropEvery: number;
  readonly ttlMs: number;
  readonly implicit: boolean;
  /** What its history takes. */
  readonly bytes: number;
}

/** An account, and what it may have. */
export interface LimitedKeys {
  readonly keys: OwnerKeys;
  readonly limits: OwnerLimits;
}

/** What became of a registration, the number of the account whose limit it is over, from 1, and when its minute is over. */
export type RegisterReply = [verdict: string, account: number, retryAfterMs: number];

/** The arguments of a count by name. */
export interface CountArguments {
  readonly taskId: string;
  readonly bytes: number;
  readonly limitBytes: number;
  readonly ttlMs: number;
}

/** The only callers of the scripts. */
export interface IndexScripts {
  register(accounts: readonly LimitedKeys[], args: RegisterArguments): Promise<RegisterReply>;
  retire(accounts: readonly OwnerKeys[], taskId: string, keptMs: number, ttlMs: number): Promise<unknown>;
  /** @returns what the tasks of the owner take */
  countBytes(keys: OwnerKeys, args: CountArguments): Promise<number>;
  forget(keys: OwnerKeys, taskIds: readonly string[]): Promise<unknown>;
  /** Members and scores in turn, newest first. */
  page(keys: OwnerKeys, limit: number, afterCreatedAt: number, afterTaskId: string): Promise<string[]>;
}

/** Defines the scripts on the client. */
export function defineIndexScripts(redis: RedisClient): IndexScripts {
  redis.defineCommand('longhaulRegister', { lua: REFUSED_WHEN_FULL + BYTES + REGISTER });
  redis.defineCommand('longhaulRetire', { lua: BYTES + RETIRE });
  redis.defineCommand('longhaulCountBytes', { numberOfKeys: 4, lua: BYTES + COUNT });
  redis.defineCommand('longhaulForget', { numberOfKeys: 4, lua: BYTES + FORGET });
  redis.defineCommand('longhaulPage', { numberOfKeys: 1, lua: PAGE });
  const client = redis as RedisClient & WithIndexScripts;
  return {
    register: (accounts, args) =>
      client.longhaulRegister(
        5 * accounts.length,
        ...accounts.flatMap(({ keys }) => [keys.tasks, keys.expiring, keys.implicit, keys.bytes, keys.minute]),
        args.taskId,
        args.createdAt,
        args.dropLimit,
        args.ttlMs,
        args.implicit ? 1 : 0,
        args.bytes,
        args.dropEvery,
        ...accounts.flatMap(({ limits }) => [limits.concurrentTasks, limits.tasksPerMinute, limits.historyBytes]),
      ),
    retire: (accounts, taskId, keptMs, ttlMs) =>
      client.longhaulRetire(
        4 * accounts.length,
        ...accounts.flatMap(({ tasks, expiring, implicit, bytes }) => [tasks, expiring, implicit, bytes]),
        taskId,
        keptMs,
        ttlMs,
      ),
    countBytes: ({ tasks, expiring, implicit, bytes }, args) =>
      client.longhaulCountBytes(tasks, expiring, implicit, bytes, args.taskId, args.bytes, args.limitBytes, args.ttlMs),
    forget: ({ tasks, expiring, implicit, bytes }, taskIds) => client.longhaulForget(tasks, expiring, implicit, bytes, ...taskIds),
    page: (keys, limit, afterCreatedAt, afterTaskId) => client.longhaulPage(keys.tasks, limit, afterCreatedAt, afterTaskId),
  };
}
