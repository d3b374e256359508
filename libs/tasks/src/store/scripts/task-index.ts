/** The scripts of the index; each touches the two sorted sets of one owner, under one hash tag. */
import type { RedisClient } from '../redis-connection.js';

/** One script, so that a task is never dropped from one of the sets only, and no set is left without TTL. */
const REGISTER = `
local tasks, expiring = KEYS[1], KEYS[2]
local task_id, created_at, now, drop_limit, ttl_ms = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local expired = redis.call('ZRANGE', expiring, '-inf', now, 'BYSCORE', 'LIMIT', 0, drop_limit)
if #expired > 0 then
  redis.call('ZREM', tasks, unpack(expired))
  redis.call('ZREM', expiring, unpack(expired))
end
redis.call('ZADD', tasks, created_at, task_id)
redis.call('PEXPIRE', tasks, ttl_ms)
redis.call('PEXPIRE', expiring, ttl_ms)
return redis.status_reply('OK')
`;

/** One script, so that no set is left without TTL. */
const RETIRE = `
local tasks, expiring = KEYS[1], KEYS[2]
local task_id, expires_at, ttl_ms = ARGV[1], ARGV[2], ARGV[3]
redis.call('ZADD', expiring, expires_at, task_id)
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
  longhaulRegister(tasks: string, expiring: string, ...args: (string | number)[]): Promise<'OK'>;
  longhaulRetire(tasks: string, expiring: string, ...args: (string | number)[]): Promise<'OK'>;
  longhaulPage(tasks: string, ...args: (string | number)[]): Promise<string[]>;
}

/** The keys of one owner. */
export interface OwnerKeys {
  readonly tasks: string;
  readonly expiring: string;
}

/** The only callers of the scripts. Times are epoch milliseconds. */
export interface IndexScripts {
  register(keys: OwnerKeys, taskId: string, createdAt: number, now: number, dropLimit: number, ttlMs: number): Promise<unknown>;
  retire(keys: OwnerKeys, taskId: string, expiresAt: number, ttlMs: number): Promise<unknown>;
  /** Members and scores in turn, newest first. */
  page(keys: OwnerKeys, limit: number, afterCreatedAt: number, afterTaskId: string): Promise<string[]>;
}

/** Defines the scripts on the client. */
export function defineIndexScripts(redis: RedisClient): IndexScripts {
  redis.defineCommand('longhaulRegister', { numberOfKeys: 2, lua: REGISTER });
  redis.defineCommand('longhaulRetire', { numberOfKeys: 2, lua: RETIRE });
  redis.defineCommand('longhaulPage', { numberOfKeys: 1, lua: PAGE });
  const client = redis as RedisClient & WithIndexScripts;
  return {
    register: (keys, taskId, createdAt, now, dropLimit, ttlMs) =>
      client.longhaulRegister(keys.tasks, keys.expiring, taskId, createdAt, now, dropLimit, ttlMs),
    retire: (keys, taskId, expiresAt, ttlMs) => client.longhaulRetire(keys.tasks, keys.expiring, taskId, expiresAt, ttlMs),
    page: (keys, limit, afterCreatedAt, afterTaskId) => client.longhaulPage(keys.tasks, limit, afterCreatedAt, afterTaskId),
  };
}
