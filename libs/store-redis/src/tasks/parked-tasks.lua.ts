/**
 * Defines the scripts of the parked tasks; both keys have one hash tag. Members are sorted by their bytes: `<group>\n<since>\n<taskId>`.
 * The group is the JSON of the tool and the versions that were asked, which has no line break; the time always has 13 digits. Times are by
 * the clock of Redis, which all workers share.
 */
import { script } from '@longhaul/redis';

/** One script, so that a task is in one group only, with all versions that were asked for it. */
export const PARK = script({
  keys: ['tasks', 'order'],
  texts: ['taskId', 'json'],
  lua: `
local task = cjson.decode(json)
local now = now_ms()
task.since = string.format('%.0f', now)
local known = redis.call('HGET', tasks, task_id)
if known then
  known = cjson.decode(known)
  if known.attemptSince > task.attemptSince then return known.group end
  redis.call('ZREM', order, known.group .. '\\n' .. known.since .. '\\n' .. task_id)
  if known.attemptSince == task.attemptSince then
    task.since = known.since
    task.times = math.max(task.times, known.times)
    task.misfit = task.misfit or known.misfit
    task.lane = task.lane or known.lane
    task.lost = task.lost or known.lost
    if known.pass > task.pass then task.pass, task.lostEpoch = known.pass, known.lostEpoch end
    local asked = {}
    for _, version in ipairs(task.asked) do asked[version] = true end
    for _, version in ipairs(known.asked) do
      if not asked[version] then table.insert(task.asked, version) end
    end
  end
end
table.sort(task.asked)
task.group = cjson.encode({task.tool, unpack(task.asked)})
redis.call('HSET', tasks, task_id, cjson.encode(task))
redis.call('ZADD', order, 0, task.group .. '\\n' .. task.since .. '\\n' .. task_id)
return task.group
`,
  reply: (group: string) => group,
});

/** A script, so that going from the first member of a group to the first member of the next one needs no round trip for each. */
export const PARKED_GROUPS = script({
  keys: ['order'],
  lua: `
local groups, from = {}, '-'
while true do
  local member = redis.call('ZRANGE', order, from, '+', 'BYLEX', 'LIMIT', 0, 1)[1]
  if not member then return groups end
  local group = string.match(member, '^[^\\n]*')
  groups[#groups + 1] = group
  from = '(' .. group .. '\\n~'
end
`,
  reply: (groups: string[]) => groups,
});

/** One script, so that a task is taken once. Replies in turn the id of a task and its record, as JSON. */
export const TAKE_PARKED = script({
  keys: ['tasks', 'order'],
  texts: ['group'],
  numbers: ['limit', 'parkedForMs'],
  lua: `
local now = now_ms()
local latest = string.format('%.0f', now - parked_for_ms)
local reply = {}
local members = redis.call('ZRANGE', order, '[' .. group .. '\\n', '[' .. group .. '\\n' .. latest .. '\\n~', 'BYLEX', 'LIMIT', 0, limit)
for _, member in ipairs(members) do
  local task_id = string.match(member, '[^\\n]*$')
  reply[#reply + 1] = task_id
  reply[#reply + 1] = redis.call('HGET', tasks, task_id)
  redis.call('HDEL', tasks, task_id)
  redis.call('ZREM', order, member)
end
return reply
`,
  reply: (entries: string[]) => entries,
});
