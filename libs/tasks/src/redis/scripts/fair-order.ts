/**
 * Keeps the list of waiting jobs short, and fills it lane by lane. BullMQ takes jobs from the right of that list in the order
 * in which they came; so a job that should wait for its turn is taken out of the list, and stands in the line of its lane
 * until it is put back. It stays a job of BullMQ's all the time: nothing but the list is touched.
 *
 * The order of lanes is start-time fair queueing with equal weights: each job that is put back moves its lane one step on,
 * the lane that is furthest behind is next, and a lane that comes up is not further behind than the others. A lane whose
 * line is empty keeps its place until the others have come as far, so that nobody gains by coming one at a time.
 */
import { script } from '@longhaul/redis';

/**
 * Puts back so many jobs that as many wait as run, or as have room in the worker that asks (`slots`). Of those that came, at most
 * `atOnce` get into line in one call, the first ones.
 *
 * What stands left of `last`, the job that was put back last, came after it, and gets into line; what stands right of it was
 * put back before. Jobs that were lost with a worker stay in front: BullMQ puts them to the right end.
 *
 * Replies whether jobs are left in line. One script, because a job must be in one of the two places at any moment.
 */
export const KEEP_FAIR = script({
  keys: ['waiting', 'active', 'marker', 'jobs', 'lanes', 'last'],
  texts: ['jobPrefix', 'linePrefix'],
  numbers: ['slots', 'atOnce'],
  lua: `
local function step_of_first()
  return tonumber(redis.call('ZRANGE', lanes, 0, 0, 'WITHSCORES')[2] or '0')
end
local function get_into_line(job_id, data)
  if redis.call('SADD', jobs, job_id) == 0 then return end
  local lane = cjson.decode(data).lane or ''
  redis.call('ZADD', lanes, 'NX', step_of_first(), lane)
  redis.call('RPUSH', line_prefix .. lane, job_id)
end
local function next_in_line()
  while true do
    local lane = redis.call('ZRANGE', lanes, 0, 0)[1]
    if not lane then return end
    local job_id = redis.call('LPOP', line_prefix .. lane)
    if not job_id then redis.call('ZREM', lanes, lane) else redis.call('SREM', jobs, job_id) end
    if job_id and redis.call('EXISTS', job_prefix .. job_id) == 1 then
      redis.call('ZINCRBY', lanes, 1, lane)
      return job_id
    end
  end
end

local room = math.max(slots, redis.call('LLEN', active))
local count = redis.call('LLEN', waiting)
if count <= room and redis.call('EXISTS', lanes) == 0 then return 0 end

local last_id = redis.call('GET', last)
local came = last_id and redis.call('LPOS', waiting, last_id) or count
local rest = math.max(0, came - at_once)
local job_ids = redis.call('LRANGE', waiting, rest, -1)
local lost, before = {}, {unpack(job_ids, came - rest + 1)}
for at = came - rest, 1, -1 do
  local data, losses = unpack(redis.call('HMGET', job_prefix .. job_ids[at], 'data', 'stc'))
  if data and not losses then get_into_line(job_ids[at], data) else table.insert(lost, 1, job_ids[at]) end
end
local put_back = {}
while #put_back + #before + #lost < room do
  local job_id = next_in_line()
  if not job_id then break end
  table.insert(put_back, 1, job_id)
end
if rest == 0 then redis.call('DEL', waiting) else redis.call('LTRIM', waiting, 0, rest - 1) end
for _, part in ipairs({put_back, before, lost}) do
  for _, job_id in ipairs(part) do redis.call('RPUSH', waiting, job_id) end
end
if #put_back > 0 then
  redis.call('SET', last, put_back[1])
  redis.call('ZADD', marker, 0, '0')
end
if rest > 0 or redis.call('EXISTS', lanes) == 1 then return 1 end
redis.call('DEL', last)
return 0
`,
  reply: (left: number) => left === 1,
});
