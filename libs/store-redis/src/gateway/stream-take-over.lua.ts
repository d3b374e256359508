import { script } from '@longhaul/redis';

/**
 * One script, because if two gateways take the same stream over, one must be the later one for everybody. The checks of limit and holder
 * belong to the same step.
 */
export const TAKE_OVER = script({
  keys: ['meta', 'log', 'open', 'standalone'],
  texts: ['streamId', 'gateway', 'replacing'],
  numbers: ['n', 'leaseMs', 'maxOpen', 'ttlMs'],
  lua: `
local held = redis.call('HMGET', meta, 'last', 'due', 'requests', 'standalone', 'origin', 'openedAt')
if not held[1] or n > tonumber(held[1]) then return {'unknown'} end
local is_standalone = held[4] == '1'
local is_finished = not is_standalone and tonumber(held[2]) <= 0
if not is_finished then
  local now = now_ms()
  if is_standalone then
    local holder = redis.call('GET', standalone)
    -- The client itself says that its connection is gone, so the holder of the same stream may live.
    if holder and holder ~= replacing and string.sub(holder, -#stream_id) ~= stream_id then return {'held', holder} end
  end
  redis.call('ZREMRANGEBYSCORE', open, '-inf', string.format('%d', now))
  if not redis.call('ZSCORE', open, stream_id) and redis.call('ZCARD', open) >= max_open then return {'too-many'} end
  redis.call('ZADD', open, string.format('%d', now + lease_ms), stream_id)
  redis.call('PEXPIRE', open, lease_ms)
  if is_standalone then redis.call('SET', standalone, gateway .. '/' .. stream_id, 'PX', lease_ms) end
  redis.call('PEXPIRE', log, ttl_ms)
  redis.call('PEXPIRE', meta, ttl_ms)
end
return {'taken', redis.call('HINCRBY', meta, 'epoch', 1), held[3], held[4], held[5], held[6], is_finished and 1 or 0}
`,
  reply: (reply: TakeOverReply) => reply,
});

/** Epoch, requests as JSON, whether it is standalone, its gateway of origin, when it was opened, and whether it is finished. */
type TakeOverReply = ['unknown' | 'too-many'] | ['held', holder: string] | ['taken', number, string, string, string, string, number];
