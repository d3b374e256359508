import type { RedisClient } from '../redis-connection.js';

/** One script, because of several gateways that see the same change exactly one may deliver it. */
const ADVANCE_MARK = `
local delivered = KEYS[1]
local mark, to, ttl_ms = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local was = tonumber(redis.call('HGET', delivered, mark) or '0')
if was >= to then return false end
redis.call('HSET', delivered, mark, to)
redis.call('PEXPIRE', delivered, ttl_ms)
return was
`;

/** Longer than any pause between two deliveries of a task that lives; a mark that is gone means a repetition at worst. */
const TTL_MS = 8 * 24 * 3_600_000;

interface WithAdvanceMark {
  longhaulAdvanceMark(key: string, mark: string, to: number, ttlMs: number): Promise<number | null>;
}

/** Defines the script on the client and returns the only function that calls it. */
export function defineAdvanceMark(redis: RedisClient): (key: string, mark: string, to: number) => Promise<number | null> {
  redis.defineCommand('longhaulAdvanceMark', { numberOfKeys: 1, lua: ADVANCE_MARK });
  const client = redis as RedisClient & WithAdvanceMark;
  return (key, mark, to) => client.longhaulAdvanceMark(key, mark, to, TTL_MS);
}
