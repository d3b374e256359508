import type { RedisClient } from '../redis-connection.js';
import type { Suspicion } from '../task-agenda.js';

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** One script, so that one process walks at a time; the lease of one that died runs out. */
const BEGIN_WALK = `
local walked = KEYS[1]
local servers, walker, lease_ms, interval_ms, ttl_ms = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]
${NOW}
local held = redis.call('HMGET', walked, 'servers', 'at', 'walker', 'until')
local is_known = held[1] == servers
if is_known and now - tonumber(held[2]) < interval_ms then return '' end
if held[3] ~= walker and tonumber(held[4] or '0') > now then return '' end
redis.call('HSET', walked, 'walker', walker, 'until', now + lease_ms)
redis.call('PEXPIRE', walked, ttl_ms)
return is_known and 'missing' or 'all'
`;

/** One script for the clock of Redis, and so that only the walker itself says that it has walked. */
const END_WALK = `
local walked = KEYS[1]
local servers, walker = ARGV[1], ARGV[2]
${NOW}
if redis.call('HGET', walked, 'walker') ~= walker then return redis.status_reply('OK') end
redis.call('HSET', walked, 'servers', servers, 'at', now)
redis.call('HDEL', walked, 'walker', 'until')
return redis.status_reply('OK')
`;

/** How walks are shared; all times in milliseconds. */
export interface WalkTimes {
  readonly leaseMs: number;
  readonly intervalMs: number;
  readonly ttlMs: number;
}

interface WithWalkScripts {
  longhaulBeginWalk(walked: string, ...args: (string | number)[]): Promise<Suspicion | ''>;
  longhaulEndWalk(walked: string, servers: string, walker: string): Promise<'OK'>;
}

/** The only callers of the scripts. */
export interface WalkScripts {
  /** Takes or keeps the lease of a walk. @returns nothing when none is due, or another process walks */
  begin(walked: string, servers: string, walker: string, times: WalkTimes): Promise<Suspicion | undefined>;
  /** Notes that all of these servers have been walked. */
  end(walked: string, servers: string, walker: string): Promise<unknown>;
}

/** Defines the scripts on the client. */
export function defineWalkScripts(redis: RedisClient): WalkScripts {
  redis.defineCommand('longhaulBeginWalk', { numberOfKeys: 1, lua: BEGIN_WALK });
  redis.defineCommand('longhaulEndWalk', { numberOfKeys: 1, lua: END_WALK });
  const client = redis as RedisClient & WithWalkScripts;
  return {
    begin: async (walked, servers, walker, { leaseMs, intervalMs, ttlMs }) => {
      const suspicion = await client.longhaulBeginWalk(walked, servers, walker, leaseMs, intervalMs, ttlMs);
      return suspicion === '' ? undefined : suspicion;
    },
    end: (walked, servers, walker) => client.longhaulEndWalk(walked, servers, walker),
  };
}
