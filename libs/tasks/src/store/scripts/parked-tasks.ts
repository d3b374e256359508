/**
 * The scripts of the parked tasks; both keys have one hash tag. The order is that of the members' bytes:
 * `<group>\n<since>\n<taskId>`, where the group is the JSON of the tool and the versions that were asked, which has no
 * line break, and the time has always 13 digits. Time is that of Redis, which all workers share.
 */
import type { RedisClient } from '../redis-connection.js';

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** One script, so that a task is in one group only, with all versions that were asked for it. */
const PARK = `
local tasks, order = KEYS[1], KEYS[2]
local task_id, task = ARGV[1], cjson.decode(ARGV[2])
${NOW}
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
`;

/** A script, to go from the first member of a group to that of the next one without a round trip for each. */
const GROUPS = `
local order = KEYS[1]
local groups, from = {}, '-'
while true do
  local member = redis.call('ZRANGE', order, from, '+', 'BYLEX', 'LIMIT', 0, 1)[1]
  if not member then return groups end
  local group = string.match(member, '^[^\\n]*')
  groups[#groups + 1] = group
  from = '(' .. group .. '\\n~'
end
`;

/** One script, so that a task is taken once. */
const TAKE = `
local tasks, order = KEYS[1], KEYS[2]
local group, limit, parked_for_ms = ARGV[1], ARGV[2], tonumber(ARGV[3])
${NOW}
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
`;

interface WithParkedTaskScripts {
  longhaulPark(...args: (string | number)[]): Promise<string>;
  longhaulParkedGroups(...args: (string | number)[]): Promise<string[]>;
  longhaulTakeParked(...args: (string | number)[]): Promise<string[]>;
}

/** The keys of the parked tasks. */
export interface ParkedTaskKeys {
  readonly tasks: string;
  readonly order: string;
}

/** The only callers of the scripts. */
export interface ParkedTaskScripts {
  /** @returns the name of the group that the task is in now */
  park(taskId: string, task: string): Promise<string>;
  /** The names of the groups. */
  groups(): Promise<string[]>;
  /** @returns in turn the id of a task and what is known of it, as JSON */
  take(group: string, limit: number, parkedForMs: number): Promise<string[]>;
}

/** Defines the scripts on the client. */
export function defineParkedTaskScripts(redis: RedisClient, { tasks, order }: ParkedTaskKeys): ParkedTaskScripts {
  redis.defineCommand('longhaulPark', { numberOfKeys: 2, lua: PARK });
  redis.defineCommand('longhaulParkedGroups', { numberOfKeys: 1, lua: GROUPS });
  redis.defineCommand('longhaulTakeParked', { numberOfKeys: 2, lua: TAKE });
  const client = redis as RedisClient & WithParkedTaskScripts;
  return {
    park: (taskId, task) => client.longhaulPark(tasks, order, taskId, task),
    groups: () => client.longhaulParkedGroups(order),
    take: (group, limit, parkedForMs) => client.longhaulTakeParked(tasks, order, group, limit, parkedForMs),
  };
}
