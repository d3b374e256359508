/** The scripts of the index; each touches the keys of one owner, under one hash tag. */
import type { RedisClient } from '../redis-connection.js';
import { REFUSED_WHEN_FULL } from './when-full.js';

/**
 * One script, because count and registration must be one step for the limits to hold among gateways,
 * a task is never dropped from one of the sets only, and no set is left without TTL.
 */
const REGISTER = `
local tasks, expiring, implicit, minute = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local task_id, created_at, drop_limit, ttl_ms, is_implicit, max_tasks, max_per_minute =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
local time = redis.call('TIME')
local now = string.format('%d', tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000))
local expired = redis.call('ZRANGE', expiring, '-inf', now, 'BYSCORE', 'LIMIT', 0, drop_limit)
if #expired > 0 then
  redis.call('ZREM', tasks, unpack(expired))
  redis.call('ZREM', expiring, unpack(expired))
end
local live = redis.call('ZCARD', tasks) - redis.call('ZCARD', expiring) + redis.call('ZCARD', implicit)
if live >= max_tasks then return {'too-many-tasks', 0} end
if tonumber(redis.call('GET', minute) or '0') >= max_per_minute then return {'too-many-per-minute', redis.call('PTTL', minute)} end
if redis.call('INCR', minute) == 1 then redis.call('PEXPIRE', minute, 60000) end
local set = is_implicit == '1' and implicit or tasks
redis.call('ZADD', set, created_at, task_id)
redis.call('PEXPIRE', set, ttl_ms)
redis.call('PEXPIRE', expiring, ttl_ms)
return {'registered', 0}
`;

/** One script, so that no set is left without TTL, and an implicit task is dropped without a look first. */
const RETIRE = `
local tasks, expiring, implicit = KEYS[1], KEYS[2], KEYS[3]
local task_id, kept_ms, ttl_ms = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
if redis.call('ZREM', implicit, task_id) == 1 then return redis.status_reply('OK') end
redis.call('ZADD', expiring, string.format('%d', now + kept_ms), task_id)
redis.call('PEXPIRE', expiring, ttl_ms)
redis.call('PEXPIRE', tasks, ttl_ms)
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
  longhaulPage(...args: (string | number)[]): Promise<string[]>;
}

/** The keys of one owner. */
export interface OwnerKeys {
  readonly tasks: string;
  readonly expiring: string;
  readonly implicit: string;
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
}

/** The only callers of the scripts. */
export interface IndexScripts {
  register(keys: OwnerKeys, args: RegisterArguments): Promise<[verdict: string, retryAfterMs: number]>;
  retire(keys: OwnerKeys, taskId: string, keptMs: number, ttlMs: number): Promise<unknown>;
  /** Members and scores in turn, newest first. */
  page(keys: OwnerKeys, limit: number, afterCreatedAt: number, afterTaskId: string): Promise<string[]>;
}

/** Defines the scripts on the client. */
export function defineIndexScripts(redis: RedisClient): IndexScripts {
  redis.defineCommand('longhaulRegister', { numberOfKeys: 4, lua: REFUSED_WHEN_FULL + REGISTER });
  redis.defineCommand('longhaulRetire', { numberOfKeys: 3, lua: RETIRE });
  redis.defineCommand('longhaulPage', { numberOfKeys: 1, lua: PAGE });
  const client = redis as RedisClient & WithIndexScripts;
  return {
    register: (keys, args) =>
      client.longhaulRegister(
        keys.tasks,
        keys.expiring,
        keys.implicit,
        keys.minute,
        args.taskId,
        args.createdAt,
        args.dropLimit,
        args.ttlMs,
        args.implicit ? 1 : 0,
        args.concurrentTasks,
        args.tasksPerMinute,
      ),
    retire: (keys, taskId, keptMs, ttlMs) => client.longhaulRetire(keys.tasks, keys.expiring, keys.implicit, taskId, keptMs, ttlMs),
    page: (keys, limit, afterCreatedAt, afterTaskId) => client.longhaulPage(keys.tasks, limit, afterCreatedAt, afterTaskId),
  };
}
