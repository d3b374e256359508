/** Sets jobs aside while they are paused. They remain jobs of BullMQ all the time: only its lists are changed, as by the fair order. */
import { script } from '@longhaul/redis';

/**
 * Sets the job of a worker aside, unless its pause ended or another worker has it by now. One script, because a process that ends the pause
 * must find it, and a job must be in one place at any moment.
 *
 * Replies whether it was set aside: 1; its pause ended: 0; the worker has lost it: -1.
 */
export const SET_ASIDE = script({
  keys: ['paused', 'setAside', 'active', 'stalled'],
  texts: ['name', 'jobId', 'token', 'jobPrefix', 'asidePrefix'],
  lua: `
local lock = job_prefix .. job_id .. ':lock'
if redis.call('GET', lock) ~= token then return -1 end
if redis.call('SISMEMBER', paused, name) == 0 then return 0 end
redis.call('DEL', lock)
redis.call('SREM', stalled, job_id)
redis.call('LREM', active, -1, job_id)
redis.call('RPUSH', aside_prefix .. name, job_id)
redis.call('SADD', set_aside, name)
return 1
`,
  reply: (reply: number) => ({ isSetAside: reply === 1, isLost: reply === -1 }),
});

/**
 * Puts jobs back when their pause ended, behind the waiting jobs, and wakes a worker. One script, for the same reasons. Replies how many.
 */
export const PUT_BACK = script({
  keys: ['paused', 'setAside', 'waiting', 'marker'],
  texts: ['jobPrefix', 'asidePrefix'],
  numbers: ['limit'],
  lua: `
local count = 0
for _, name in ipairs(redis.call('SMEMBERS', set_aside)) do
  if redis.call('SISMEMBER', paused, name) == 0 then
    local line = aside_prefix .. name
    for _, job_id in ipairs(redis.call('LPOP', line, limit - count) or {}) do
      count = count + 1
      if redis.call('EXISTS', job_prefix .. job_id) == 1 then redis.call('LPUSH', waiting, job_id) end
    end
    if redis.call('EXISTS', line) == 0 then redis.call('SREM', set_aside, name) end
    if count >= limit then break end
  end
end
if count > 0 then redis.call('ZADD', marker, 0, '0') end
return count
`,
  reply: (count: number) => count,
});
