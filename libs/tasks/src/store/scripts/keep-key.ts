import type { RedisClient } from '../redis-connection.js';

/** One script, because a claim may only be marked by the task that holds it. */
const KEEP_KEY = `
local key = KEYS[1]
local task_id, ttl_ms = ARGV[1], ARGV[2]
local claim = redis.call('GET', key)
if not claim or string.sub(claim, 1, #task_id + 1) ~= task_id .. ':' then return redis.status_reply('OK') end
if string.sub(claim, -5) ~= ':used' then claim = claim .. ':used' end
return redis.call('SET', key, claim, 'PX', ttl_ms)
`;

interface WithKeepKey {
  longhaulKeepKey(key: string, taskId: string, ttlMs: number): Promise<'OK'>;
}

/** Defines the script on the client and returns the only function that calls it. */
export function defineKeepKey(redis: RedisClient): (key: string, taskId: string, ttlMs: number) => Promise<'OK'> {
  redis.defineCommand('longhaulKeepKey', { numberOfKeys: 1, lua: KEEP_KEY });
  const client = redis as RedisClient & WithKeepKey;
  return (key, taskId, ttlMs) => client.longhaulKeepKey(key, taskId, ttlMs);
}
