import { script } from '@longhaul/redis';

/** One script, because a former writer must not renew the lease of another. */
export const KEEP = script({
  keys: ['meta', 'log', 'open', 'standalone'],
  texts: ['streamId', 'gateway'],
  numbers: ['epoch', 'leaseMs', 'ttlMs'],
  flags: ['isStandalone'],
  lua: `
local held = tonumber(redis.call('HGET', meta, 'epoch') or '')
if not held then return 'gone' end
if held ~= epoch then return 'taken' end
local now = now_ms()
if is_standalone then
  local holder = redis.call('GET', standalone)
  if holder and holder ~= gateway .. '/' .. stream_id then return 'taken' end
  redis.call('SET', standalone, gateway .. '/' .. stream_id, 'PX', lease_ms)
end
redis.call('ZADD', open, string.format('%d', now + lease_ms), stream_id)
redis.call('PEXPIRE', open, lease_ms)
redis.call('PEXPIRE', log, ttl_ms)
redis.call('PEXPIRE', meta, ttl_ms)
return 'kept'
`,
  reply: (kept: 'kept' | 'taken' | 'gone') => kept,
});

/** One script, because a caller must not leave a stream that was taken over in the meantime. */
export const LEAVE = script({
  keys: ['meta', 'open', 'standalone'],
  texts: ['streamId', 'gateway'],
  numbers: ['epoch'],
  lua: `
if tonumber(redis.call('HGET', meta, 'epoch') or '') ~= epoch then return end
redis.call('ZREM', open, stream_id)
if redis.call('GET', standalone) == gateway .. '/' .. stream_id then redis.call('DEL', standalone) end
`,
});

/** One script, so that a stream that is gone does not come back as a lone field. */
export const BIND = script({
  keys: ['meta'],
  texts: ['requests'],
  lua: `if redis.call('EXISTS', meta) == 1 then redis.call('HSET', meta, 'requests', requests) end`,
});

/**
 * One script, so that a cancellation is counted once, although an earlier writer and the present one both receive it. If the
 * earlier writer counts it, the script notifies the present one.
 */
export const SETTLE_ONE = script({
  keys: ['meta', 'open'],
  texts: ['streamId', 'changed'],
  numbers: ['epoch'],
  flags: ['isExclusive'],
  lua: `
local held = tonumber(redis.call('HGET', meta, 'epoch') or '')
if not held then return 1 end
if held ~= epoch and is_exclusive then return 0 end
if redis.call('HINCRBY', meta, 'due', -1) > 0 then return 0 end
redis.call('ZREM', open, stream_id)
if held ~= epoch then redis.call('PUBLISH', changed, 'settled') end
return 1
`,
  reply: (isFinished: 0 | 1) => isFinished === 1,
});

/** One script, so that the set is never left without TTL, nor grows over its limit. */
export const NOTE_CANCELLED = script({
  keys: ['cancelled'],
  texts: ['requestId', 'cancellation'],
  numbers: ['ttlMs', 'maxNoted'],
  lua: `
if redis.call('HLEN', cancelled) >= max_noted then return end
redis.call('HSET', cancelled, request_id, cancellation)
redis.call('PEXPIRE', cancelled, ttl_ms)
`,
});
