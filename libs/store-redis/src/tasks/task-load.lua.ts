/** Counts the work that waits, by the time of Redis. */
import { script } from '@longhaul/redis';

/** How many lanes are checked for the job that has waited longest: the lanes that are furthest behind. */
export const LOOKED_AT_LANES = 200;

/**
 * Counts jobs, and how long the oldest waiting job has waited, -1 without one. That job is at the right end of the list, or first in the
 * line of its lane, unless others have a higher priority. Jobs that a limit holds back count as waiting; jobs that are set aside do not.
 */
export const QUEUE_DEPTH = script({
  keys: ['waiting', 'active', 'delayed', 'jobs', 'lanes', 'setAside', 'held'],
  texts: ['jobPrefix', 'linePrefix', 'asidePrefix', 'heldPrefix'],
  numbers: ['mostLanes'],
  lua: `
local now = now_ms()
local oldest
local function look_at(job_id)
  if not job_id then return end
  local came, delay = unpack(redis.call('HMGET', job_prefix .. job_id, 'timestamp', 'delay'))
  local since = came and tonumber(came) + (tonumber(delay) or 0)
  if since and (not oldest or since < oldest) then oldest = since end
end
look_at(redis.call('LINDEX', waiting, -1))
for _, lane in ipairs(redis.call('ZRANGE', lanes, 0, most_lanes - 1)) do
  look_at(redis.call('ZRANGE', line_prefix .. lane, 0, 0)[1])
end
local aside = 0
for _, name in ipairs(redis.call('SMEMBERS', set_aside)) do aside = aside + redis.call('LLEN', aside_prefix .. name) end
local held_back = 0
for _, name in ipairs(redis.call('SMEMBERS', held)) do held_back = held_back + redis.call('ZCARD', held_prefix .. name) end
return {redis.call('LLEN', waiting) + redis.call('SCARD', jobs) + held_back, aside, redis.call('ZCARD', delayed), redis.call('LLEN', active),
  oldest and math.max(0, now - oldest) or -1}
`,
  reply: ([waiting = 0, setAside = 0, delayed = 0, running = 0, oldestWaitMs = -1]: number[]) => ({
    waiting,
    setAside,
    delayed,
    running,
    ...(oldestWaitMs >= 0 && { oldestWaitMs }),
  }),
});

/** Finds the limit for which one of the jobs is held back, and how many stand before it. A job of BullMQ has the name of the limit beside its own fields. */
export const HELD_BACK = script({
  keys: ['held'],
  texts: ['jobPrefix', 'heldPrefix'],
  rest: 'first',
  lua: `
for i = first, #ARGV do
  local name = redis.call('HGET', job_prefix .. ARGV[i], 'heldBy')
  local ahead = name and redis.call('ZRANK', held_prefix .. name, ARGV[i])
  if ahead then return {name, ahead} end
end
return false
`,
  reply: (reply: [string, number] | null) => (reply === null ? undefined : { name: reply[0], ahead: reply[1] }),
});

/** Entries of one shard that are due, and for how long the oldest is. */
export const OVERDUE = script({
  keys: ['shard'],
  lua: `
local now = now_ms()
local oldest = redis.call('ZRANGE', shard, 0, 0, 'WITHSCORES')[2]
return {redis.call('ZCOUNT', shard, '-inf', now), oldest and math.floor(now - tonumber(oldest)) or -1}
`,
  reply: ([count = 0, oldestMs = -1]: number[]) => ({ count, oldestMs }),
});
