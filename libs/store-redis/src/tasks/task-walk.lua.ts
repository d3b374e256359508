import type { Suspicion } from '@longhaul/tasks/store';
import { script } from '@longhaul/redis';

/**
 * Takes or keeps the lease of a walk; nothing when no walk is due, or another process walks. One script, so that one process walks at a
 * time; the lease of a dead process expires.
 */
export const BEGIN_WALK = script({
  keys: ['walked'],
  texts: ['servers', 'walker'],
  numbers: ['leaseMs', 'intervalMs', 'ttlMs'],
  lua: `
local now = now_ms()
local held = redis.call('HMGET', walked, 'servers', 'at', 'walker', 'until')
local is_known = held[1] == servers
if is_known and now - tonumber(held[2]) < interval_ms then return '' end
if held[3] ~= walker and tonumber(held[4] or '0') > now then return '' end
redis.call('HSET', walked, 'walker', walker, 'until', now + lease_ms)
redis.call('PEXPIRE', walked, ttl_ms)
return is_known and 'missing' or 'all'
`,
  reply: (suspicion: Suspicion | '') => (suspicion === '' ? undefined : suspicion),
});

/**
 * Notes that all of these servers have been walked. One script, for the clock of Redis, and so that only the walking process itself can
 * note it.
 */
export const END_WALK = script({
  keys: ['walked'],
  texts: ['servers', 'walker'],
  lua: `
local now = now_ms()
if redis.call('HGET', walked, 'walker') ~= walker then return end
redis.call('HSET', walked, 'servers', servers, 'at', now)
redis.call('HDEL', walked, 'walker', 'until')
`,
});
