/**
 * Keeps the list of waiting jobs short, and fills it lane by lane. BullMQ takes jobs from the right of that list in the order in which they
 * came. So a job that should wait for its turn is taken out of the list, and stands in the line of its lane until it is put back. It
 * remains a job of BullMQ all the time: only the list is changed.
 *
 * Lanes take turns: each has a turn, and the lane with the lowest one is served. A new lane gets the turn after the one that was taken
 * last. When a job of a lane is put back, the lane's next turn is later by a distance: the number of lanes that its group has in line,
 * divided by the weight of the group. So groups get slots by their weights, no matter how many lanes and jobs they have. A lane with an
 * empty line keeps its place until its turn, so that adding jobs one at a time brings no advantage.
 *
 * In the line of a lane, jobs stand by the time at which they got into line, less `stepMs` for each point of their priority.
 */
import { script } from '@longhaul/redis';

/**
 * Puts back jobs until as many wait as run, or as fit into the calling worker (`slots`). At most `atOnce` new jobs get into line in one
 * call, the first ones, and at most as many are put back.
 *
 * `last` is the job that was put back or left in front last. Jobs to the left of it came after it, and get into line; jobs to the right of
 * it were put back before. Jobs that were lost with a worker stay in front: BullMQ puts them to the right end.
 *
 * Replies whether jobs are left in line, and whether another call is needed. One script, because a job must be in one of the two places at
 * any moment.
 */
export const KEEP_FAIR = script({
  keys: ['waiting', 'active', 'marker', 'jobs', 'lanes', 'last', 'turn', 'groups', 'weights'],
  texts: ['jobPrefix', 'linePrefix'],
  numbers: ['slots', 'atOnce', 'weight', 'stepMs'],
  lua: `
-- A job that somebody else has added may have any data.
local function lane_of(data)
  local is_read, job = pcall(cjson.decode, data)
  if not is_read or type(job) ~= 'table' then return '', 0 end
  return type(job.lane) == 'string' and job.lane or '', type(job.priority) == 'number' and job.priority or 0
end
local latest_turn = tonumber(redis.call('GET', turn) or 0)
local function group_of(lane) return string.match(lane, '^[^.]*') end
local function turn_after(at, lane)
  local group = group_of(lane)
  local lanes_of_group = math.max(1, tonumber(redis.call('HGET', groups, group) or 1))
  return at + lanes_of_group / tonumber(redis.call('HGET', weights, group) or weight)
end
local function join(lane)
  if redis.call('ZSCORE', lanes, lane) then return end
  redis.call('HINCRBY', groups, group_of(lane), 1)
  redis.call('ZADD', lanes, turn_after(latest_turn, lane), lane)
end
local function leave(lane)
  redis.call('ZREM', lanes, lane)
  if redis.call('HINCRBY', groups, group_of(lane), -1) <= 0 then redis.call('HDEL', groups, group_of(lane)) end
end
local turns_left = at_once
local function next_in_line()
  while turns_left > 0 do
    turns_left = turns_left - 1
    local lane, at = unpack(redis.call('ZRANGE', lanes, 0, 0, 'WITHSCORES'))
    if not lane then return end
    latest_turn = math.max(latest_turn, tonumber(at))
    local job_id = redis.call('ZPOPMIN', line_prefix .. lane)[1]
    if not job_id then leave(lane) else redis.call('SREM', jobs, job_id) end
    if job_id and redis.call('EXISTS', job_prefix .. job_id) == 1 then
      redis.call('ZADD', lanes, turn_after(latest_turn, lane), lane)
      return job_id
    end
  end
end

local room = math.max(slots, redis.call('LLEN', active))
local count = redis.call('LLEN', waiting)
if count <= room and redis.call('EXISTS', lanes) == 0 then return 0 end

local last_id = redis.call('GET', last)
local came = last_id and redis.call('LPOS', waiting, last_id, 'RANK', -1) or count
local rest = math.max(0, came - at_once)
local job_ids = came > 0 and redis.call('LRANGE', waiting, rest, came - 1) or {}
local job_ids_by_lane, lost = {}, {}
-- Microseconds: the jobs of one call keep their order, and the next call is later.
local time = redis.call('TIME')
local since = time[1] * 1e6 + time[2]
for at = #job_ids, 1, -1 do
  local data, losses = unpack(redis.call('HMGET', job_prefix .. job_ids[at], 'data', 'stc'))
  if not data or losses then
    table.insert(lost, job_ids[at])
  elseif redis.call('SADD', jobs, job_ids[at]) == 1 then
    local lane, priority = lane_of(data)
    if not job_ids_by_lane[lane] then
      job_ids_by_lane[lane] = {}
      join(lane)
    end
    since = since + 1
    table.insert(job_ids_by_lane[lane], since - priority * step_ms * 1e3)
    table.insert(job_ids_by_lane[lane], job_ids[at])
  end
end
for lane, ids in pairs(job_ids_by_lane) do redis.call('ZADD', line_prefix .. lane, unpack(ids)) end
local put_back = {}
while #put_back + #lost + count - came < room do
  local job_id = next_in_line()
  if not job_id then break end
  table.insert(put_back, job_id)
end
if rest == 0 then
  -- What was put back before stays where it is: it may be thousands of jobs.
  redis.call('LTRIM', waiting, came, -1)
  for _, job_id in ipairs(put_back) do redis.call('LPUSH', waiting, job_id) end
else
  local before = came < count and redis.call('LRANGE', waiting, came, -1) or {}
  redis.call('LTRIM', waiting, 0, rest - 1)
  for at = #put_back, 1, -1 do redis.call('RPUSH', waiting, put_back[at]) end
  for _, job_id in ipairs(before) do redis.call('RPUSH', waiting, job_id) end
end
for at = #lost, 1, -1 do redis.call('RPUSH', waiting, lost[at]) end
if #put_back > 0 then
  redis.call('SET', last, put_back[#put_back])
  redis.call('ZADD', marker, 0, '0')
elseif came == count and #lost > 0 then
  -- Otherwise the next call would come to the same lost jobs, and never to what stands left of them.
  redis.call('SET', last, lost[#lost])
end
if redis.call('EXISTS', lanes) == 1 then redis.call('SET', turn, latest_turn) end
if rest > 0 or turns_left == 0 then return 2 end
if redis.call('EXISTS', lanes) == 1 then return 1 end
redis.call('DEL', last, jobs, turn, groups)
return 0
`,
  reply: (left: number) => ({ isLine: left > 0, isMore: left === 2 }),
});

/** Keeps the weights of groups that have one of their own, and replaces the stored ones: names and weights in turn. */
export const KEEP_WEIGHTS = script({
  keys: ['weights'],
  rest: 'first',
  lua: `
redis.call('DEL', weights)
for i = first, #ARGV, 2 do redis.call('HSET', weights, ARGV[i], ARGV[i + 1]) end
`,
});
