/** Defines the scripts of the worker registry; both keys have one hash tag. Times are by the clock of Redis, which all workers share. */
import type { WorkerStanding } from '@longhaul/tasks/store';
import { script } from '@longhaul/redis';

/** One script, because a worker must not be seen without its description, and its reply must belong to the moment of its beat. */
export const BEAT = script({
  keys: ['seen', 'details'],
  texts: ['workerId', 'workerDetails'],
  numbers: ['deadAfterMs', 'askedAfterMs', 'ttlMs'],
  lua: `
local now = now_ms()
local known = 1 - redis.call('ZADD', seen, now, worker_id)
if redis.call('HGET', details, worker_id) ~= worker_details then redis.call('HSET', details, worker_id, worker_details) end
redis.call('PEXPIRE', seen, ttl_ms)
redis.call('PEXPIRE', details, ttl_ms)
local oldest = redis.call('ZRANGE', seen, '(' .. string.format('%.0f', now - dead_after_ms), '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')
local quiet = {}
local silent = redis.call('ZRANGE', seen, '(' .. string.format('%.0f', now - dead_after_ms), now - asked_after_ms, 'BYSCORE', 'WITHSCORES')
for i = 1, #silent, 2 do
  quiet[i] = redis.call('HGET', details, silent[i])
  quiet[i + 1] = tostring(now - silent[i + 1])
end
local reply = {known, now - oldest[2], quiet}
local dead = redis.call('ZRANGE', seen, '-inf', now - dead_after_ms, 'BYSCORE', 'WITHSCORES')
for i = 1, #dead, 2 do
  reply[#reply + 1] = redis.call('HGET', details, dead[i])
  reply[#reply + 1] = dead[i + 1]
end
return reply
`,
  reply: ([known, silentMs, quiet, ...dead]: BeatReply) => ({ known: known === 1, silentMs, quiet, dead }),
});

/**
 * Replies whether the worker was known, as 1 or 0; the longest silence of a living worker, ms; in turn the details of each living one that
 * is silent, and for how long; then in turn the details of each dead one and when it was last seen.
 */
type BeatReply = [known: number, silentMs: number, quiet: string[], ...dead: string[]];

/** One script, for the time, and so that all living workers are of one moment. */
export const LIVE = script({
  keys: ['seen', 'details'],
  numbers: ['deadAfterMs'],
  lua: `
local now = now_ms()
local live = redis.call('ZRANGE', seen, '(' .. string.format('%.0f', now - dead_after_ms), '+inf', 'BYSCORE')
local reply = {}
for i, worker_id in ipairs(live) do reply[i] = redis.call('HGET', details, worker_id) end
return reply
`,
  reply: (details: string[]) => details,
});

/** One script, for the time. */
export const STANDING = script({
  keys: ['seen'],
  texts: ['workerId'],
  numbers: ['deadAfterMs'],
  lua: `
local now = now_ms()
local seen_at = tonumber(redis.call('ZSCORE', seen, worker_id) or '0')
-- One that has left says that it was last seen at the beginning of time.
if seen_at == 0 then return 'gone' end
return now - seen_at < dead_after_ms and 'live' or 'silent'
`,
  reply: (standing: WorkerStanding) => standing,
});

/** One script, so that a worker is removed once, and not if it has beaten since then. */
export const FORGET_WORKER = script({
  keys: ['seen', 'details'],
  texts: ['workerId'],
  numbers: ['deadAfterMs'],
  lua: `
local now = now_ms()
local seen_at = redis.call('ZSCORE', seen, worker_id)
if not seen_at or now - seen_at < dead_after_ms then return 0 end
redis.call('HDEL', details, worker_id)
return redis.call('ZREM', seen, worker_id)
`,
  reply: (removed: number) => removed === 1,
});
