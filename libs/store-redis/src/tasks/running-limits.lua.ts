/**
 * Limits how many jobs of a group of lanes, of a tool, or of a key run at once, and how many of a key begin within a window. The set of a
 * limit has the jobs that count for it. Jobs need not be removed from it: a job counts as long as a worker has its lock, or while it waits to
 * be taken with a reserved slot. So the slot of a dead worker is free as soon as its job is. For a limit with a window, the set has reserved
 * jobs only, and a sorted set has those that have begun.
 *
 * A job that may not run is held back. Held jobs are released by the time at which they came, less a time for their priority. A job that came
 * later does not run before them. They remain jobs of BullMQ all the time.
 */
import { script } from '@longhaul/redis';

/** A limit with a window that has room again after this time, for jobs that are held back. */
export interface NextStart {
  readonly name: string;
  readonly inMs: number;
}

/** `room_of(name, most, window)` of a limit, for a job that may be in its set already. */
const COUNTING = `
local function counts(id)
  return redis.call('EXISTS', job_prefix .. id .. ':lock') == 1 or redis.call('LPOS', waiting, id)
end
local function begun(name, window)
  if window == 0 then return 0 end
  redis.call('ZREMRANGEBYSCORE', started_prefix .. name, '-inf', now_ms() - window)
  return redis.call('ZCARD', started_prefix .. name)
end
local function room_of(name, most, window)
  local running = running_prefix .. name
  local count = redis.call('SCARD', running) + begun(name, window)
  if count < most then return most - count end
  for _, id in ipairs(redis.call('SMEMBERS', running)) do
    if not counts(id) then
      redis.call('SREM', running, id)
      count = count - 1
    end
  end
  return most - count
end
local function next_start(name, window)
  local first = redis.call('ZRANGE', started_prefix .. name, 0, 0, 'WITHSCORES')[2]
  return first and math.max(1, tonumber(first) + window - now_ms() + 1)
end
`;

/**
 * Counts the job of a worker for its limits, or holds it back for the first limit that is reached; then the worker no longer has it. One
 * script, because two workers must not take the last slot, and a job must be in one place at any moment. Its limits are the further arguments:
 * name, number, window.
 *
 * Replies whether it may run: 1; is held back: 0; or was lost by the worker: -1. Also the limit with a window that has held it back, or for
 * which others are held back, and when that has room again.
 */
export const COUNT_IN = script({
  keys: ['waiting', 'active', 'stalled', 'held'],
  texts: ['jobId', 'token', 'jobPrefix', 'runningPrefix', 'startedPrefix', 'heldPrefix'],
  numbers: ['earlierMs'],
  rest: 'first',
  lua: `
local lock = job_prefix .. job_id .. ':lock'
if redis.call('GET', lock) ~= token then return {-1} end
${COUNTING}
local since = (tonumber(redis.call('HGET', job_prefix .. job_id, 'timestamp')) or now_ms()) - earlier_ms
local function is_behind(name)
  local first = redis.call('ZRANGE', held_prefix .. name, 0, 0, 'WITHSCORES')[2]
  return first and tonumber(first) < since
end
for i = first, #ARGV, 3 do
  local name, most, window = ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
  local is_kept = redis.call('SISMEMBER', running_prefix .. name, job_id) == 1
  if not is_kept and (is_behind(name) or room_of(name, most, window) <= 0) or is_kept and window > 0 and begun(name, window) >= most then
    -- What was kept for it elsewhere is free for others.
    for other = first, #ARGV, 3 do redis.call('SREM', running_prefix .. ARGV[other], job_id) end
    redis.call('DEL', lock)
    redis.call('SREM', stalled, job_id)
    redis.call('LREM', active, -1, job_id)
    redis.call('ZADD', held_prefix .. name, since, job_id)
    redis.call('SADD', held, name)
    redis.call('HSET', job_prefix .. job_id, 'heldBy', name)
    local in_ms = window > 0 and next_start(name, window)
    return in_ms and {0, name, in_ms} or {0}
  end
end
local waits
for i = first, #ARGV, 3 do
  local name, window = ARGV[i], tonumber(ARGV[i + 2])
  if window == 0 then
    redis.call('SADD', running_prefix .. name, job_id)
    redis.call('PEXPIRE', running_prefix .. name, 691200000)
  else
    redis.call('SREM', running_prefix .. name, job_id)
    redis.call('ZADD', started_prefix .. name, now_ms(), job_id)
    redis.call('PEXPIRE', started_prefix .. name, window)
    if redis.call('EXISTS', held_prefix .. name) == 1 then waits = {1, name, next_start(name, window)} end
  end
end
return waits or {1}
`,
  reply: ([reply, name = '', inMs]: [number, string?, number?]) => ({
    mayRun: reply === 1,
    isLost: reply === -1,
    ...(inMs !== undefined && { next: { name, inMs } satisfies NextStart }),
  }),
});

/**
 * Stops counting a job of the worker after its handler has ended, if one is given, and puts held jobs at the front of the queue, as many as
 * the limits have room for. One script, for the same reasons.
 */
export const COUNT_OUT = script({
  keys: ['waiting', 'marker', 'held'],
  texts: ['jobId', 'token', 'jobPrefix', 'runningPrefix', 'startedPrefix', 'heldPrefix'],
  numbers: ['atOnce'],
  rest: 'first',
  lua: `
${COUNTING}
-- Another worker may have the job by now, and then it counts.
if job_id ~= '' and redis.call('GET', job_prefix .. job_id .. ':lock') == token then
  for i = first, #ARGV, 3 do redis.call('SREM', running_prefix .. ARGV[i], job_id) end
end
local count = 0
for i = first, #ARGV, 3 do
  local name, most, window = ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
  local line = held_prefix .. name
  if redis.call('EXISTS', line) == 1 then
    local room = math.min(room_of(name, most, window), at_once - count)
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
`,
});
