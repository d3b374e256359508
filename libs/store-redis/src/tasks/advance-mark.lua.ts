import { script } from '@longhaul/redis';

/** One script, because exactly one of several gateways that see the same change may deliver it. */
export const ADVANCE_MARK = script({
  keys: ['delivered'],
  texts: ['mark'],
  numbers: ['to', 'ttlMs'],
  lua: `
local was = tonumber(redis.call('HGET', delivered, mark) or '0')
if was >= to then return false end
redis.call('HSET', delivered, mark, to)
redis.call('PEXPIRE', delivered, ttl_ms)
return was
`,
  reply: (was: number | null) => was ?? undefined,
});
