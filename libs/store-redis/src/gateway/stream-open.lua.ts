import { script } from '@longhaul/redis';

/**
 * One script, because the limit holds among gateways only if counting the session's streams and adding one is one step. Of two gateways
 * exactly one gets the standalone stream.
 */
export const OPEN = script({
  keys: ['meta', 'open', 'standalone'],
  texts: ['streamId', 'gateway', 'requests', 'replacing'],
  numbers: ['leaseMs', 'due', 'maxOpen', 'ttlMs'],
  flags: ['isStandalone'],
  lua: `
local now = now_ms()

if is_standalone then
  local holder = redis.call('GET', standalone)
  if holder and holder ~= replacing then return {'held', holder} end
  if holder then redis.call('ZREM', open, string.sub(holder, string.find(holder, '/', 1, true) + 1)) end
end
redis.call('ZREMRANGEBYSCORE', open, '-inf', string.format('%d', now))
if redis.call('ZCARD', open) >= max_open then return {'too-many'} end
if is_standalone then redis.call('SET', standalone, gateway .. '/' .. stream_id, 'PX', lease_ms) end
redis.call('ZADD', open, string.format('%d', now + lease_ms), stream_id)
redis.call('PEXPIRE', open, lease_ms)
redis.call('HSET', meta, 'epoch', 1, 'last', 0, 'due', due, 'requests', requests, 'standalone', is_standalone and '1' or '0',
  'origin', gateway, 'openedAt', string.format('%d', now))
redis.call('PEXPIRE', meta, ttl_ms)
return {'opened'}
`,
  reply: (reply: ['opened' | 'too-many'] | ['held', holder: string]) => reply,
});
