/**
 * Limits how many jobs of a group of lanes, or of a tool, run at once. The set of a limit has the jobs that count for it. Jobs need not be
 * removed from it: a job counts as long as a worker has its lock, or while it waits to be taken with a reserved slot. So the slot of a dead
 * worker is free as soon as its job is.
 *
 * A job that may not run is held back. Held jobs are released by rank, the higher first, then by the order in which they came. They remain
 * jobs of BullMQ all the time.
 */
import { script } from '@longhaul/redis';

/** `has_room(name, most)` of a limit, for a job that may be in its set already. */
const COUNTING = `
local function counts(id)
  return redis.call('EXISTS', job_prefix .. id .. ':lock') == 1 or redis.call('LPOS', waiting, id)
end
local function room_of(name, most)
  local running = running_prefix .. name
  local count = redis.call('SCARD', running)
  if count < most then return most - count end
  for _, id in ipairs(redis.call('SMEMBERS', running)) do
    if not counts(id) then
      redis.call('SREM', running, id)
      count = count - 1
    end
  end
  return most - count
end
`;

/**
 * Counts the job of a worker for its limits, or holds it back for the first limit that is reached; then the worker no longer has it. One
 * script, because two workers must not take the last slot, and a job must be in one place at any moment.
 *
 * Replies whether it may run: 1; is held back: 0; or was lost by the worker: -1.
 */
export const COUNT_IN = script({
  keys: ['waiting', 'active', 'stalled', 'held'],
  texts: ['jobId', 'token', 'jobPrefix', 'runningPrefix', 'heldPrefix'],
  numbers: ['rank'],
  rest: 'first',
  lua: `
local lock = job_prefix .. job_id .. ':lock'
if redis.call('GET', lock) ~= token then return -1 end
${COUNTING}
for i = first, #ARGV, 2 do
  local name, most = ARGV[i], tonumber(ARGV[i + 1])
  if redis.call('SISMEMBER', running_prefix .. name, job_id) == 0 and room_of(name, most) <= 0 then
    -- What was kept for it elsewhere is free for others.
    for other = first, #ARGV, 2 do redis.call('SREM', running_prefix .. ARGV[other], job_id) end
    redis.call('DEL', lock)
    redis.call('SREM', stalled, job_id)
    redis.call('LREM', active, -1, job_id)
    redis.call('ZADD', held_prefix .. name, now_ms() - rank * 1e14, job_id)
    redis.call('SADD', held, name)
    return 0
  end
end
for i = first, #ARGV, 2 do redis.call('SADD', running_prefix .. ARGV[i], job_id) end
return 1
`,
  reply: (reply: number) => ({ mayRun: reply === 1, isLost: reply === -1 }),
});

/**
 * Stops counting a job of the worker after its handler has ended, if one is given, and puts held jobs at the front of the queue, as many as
 * the limits have room for. One script, for the same reasons. Replies how many.
 */
export const COUNT_OUT = script({
  keys: ['waiting', 'marker', 'held'],
  texts: ['jobId', 'token', 'jobPrefix', 'runningPrefix', 'heldPrefix'],
  numbers: ['atOnce'],
  rest: 'first',
  lua: `
${COUNTING}
-- Another worker may have the job by now, and then it counts.
if job_id ~= '' and redis.call('GET', job_prefix .. job_id .. ':lock') == token then
  for i = first, #ARGV, 2 do redis.call('SREM', running_prefix .. ARGV[i], job_id) end
end
local count = 0
for i = first, #ARGV, 2 do
  local name, most = ARGV[i], tonumber(ARGV[i + 1])
  local line = held_prefix .. name
  if redis.call('EXISTS', line) == 1 then
    local room = math.min(room_of(name, most), at_once - count)
    while room > 0 do
      local id = redis.call('ZPOPMIN', line)[1]
      if not id then break end
      if redis.call('EXISTS', job_prefix .. id) == 1 then
        redis.call('SADD', running_prefix .. name, id)
        redis.call('RPUSH', waiting, id)
        room = room - 1
        count = count + 1
      end
    end
    if redis.call('EXISTS', line) == 0 then redis.call('SREM', held, name) end
  end
end
if count > 0 then redis.call('ZADD', marker, 0, '0') end
return count
`,
  reply: (count: number) => count,
});
