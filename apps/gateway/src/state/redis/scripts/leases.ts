/** One script, because a writer that is no longer the present one must not renew what is another one's. */
export const KEEP = `
local meta, log, open, standalone = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local stream_id, epoch, gateway, lease_ms, ttl_ms, is_standalone = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5], ARGV[6]
local held = redis.call('HGET', meta, 'epoch')
if not held then return 'gone' end
if held ~= epoch then return 'taken' end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
if is_standalone == '1' then
  local holder = redis.call('GET', standalone)
  if holder and holder ~= gateway .. '/' .. stream_id then return 'taken' end
  redis.call('SET', standalone, gateway .. '/' .. stream_id, 'PX', lease_ms)
end
redis.call('ZADD', open, string.format('%d', now + lease_ms), stream_id)
redis.call('PEXPIRE', open, lease_ms)
redis.call('PEXPIRE', log, ttl_ms)
redis.call('PEXPIRE', meta, ttl_ms)
return 'kept'
`;

/** One script, because a stream that was taken over in the meantime is not the caller's to leave. */
export const LEAVE = `
local meta, open, standalone = KEYS[1], KEYS[2], KEYS[3]
local stream_id, epoch, gateway = ARGV[1], ARGV[2], ARGV[3]
if redis.call('HGET', meta, 'epoch') ~= epoch then return 0 end
redis.call('ZREM', open, stream_id)
if redis.call('GET', standalone) == gateway .. '/' .. stream_id then redis.call('DEL', standalone) end
return 1
`;

/** One script, so that a stream that is gone does not come back as a lone field. */
export const BIND = `
local meta = KEYS[1]
local requests = ARGV[1]
if redis.call('EXISTS', meta) == 1 then redis.call('HSET', meta, 'requests', requests) end
return 1
`;

/**
 * One script, so that of an earlier writer and the present one, which both hear of a cancellation, one counts it. Who counts
 * in another one's place has that one told.
 */
export const SETTLE_ONE = `
local meta, open = KEYS[1], KEYS[2]
local stream_id, epoch, is_exclusive, changed = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local held = redis.call('HGET', meta, 'epoch')
if not held then return 1 end
if held ~= epoch and is_exclusive == '1' then return 0 end
if redis.call('HINCRBY', meta, 'due', -1) > 0 then return 0 end
redis.call('ZREM', open, stream_id)
if held ~= epoch then redis.call('PUBLISH', changed, 'settled') end
return 1
`;

/** One script, so that the set is never left without TTL, nor grows over its limit. */
export const NOTE_CANCELLED = `
local cancelled = KEYS[1]
local request_id, ttl_ms, max_noted = ARGV[1], ARGV[2], tonumber(ARGV[3])
if redis.call('SCARD', cancelled) >= max_noted then return 0 end
redis.call('SADD', cancelled, request_id)
redis.call('PEXPIRE', cancelled, ttl_ms)
return 1
`;
