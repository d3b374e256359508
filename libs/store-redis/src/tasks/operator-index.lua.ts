/** Defines the scripts of the operators' index; each touches one shard. See `operator-rows.ts` for what a shard is. */
import { script } from '@longhaul/redis';
import { DROP_ROWS, WRITE_ROW } from './operator-rows.lua.js';

/** Takes in turn a task, its row, and when it is gone, `''` for one that has not ended. One script, because a row is in several sets. */
export const PUT_ROWS = script({
  keys: ['rows'],
  rest: 'firstRow',
  lua: `
${WRITE_ROW}
local now = now_ms()
for i = first_row, #ARGV, 3 do
  local gone_at = tonumber(ARGV[i + 2])
  if not gone_at or gone_at > now then write_row(rows, ARGV[i], ARGV[i + 1], gone_at) end
end
`,
});

/** One script, because a row is in several sets. */
export const DROP = script({
  keys: ['rows'],
  rest: 'firstTask',
  lua: `
${DROP_ROWS}
for i = first_task, #ARGV do drop_row(rows, ARGV[i]) end
`,
});

/** One script, because a task that is retried is no longer counted among the failures. */
export const NOTE_RETRY = script({
  keys: ['rows'],
  texts: ['taskId', 'retryId'],
  lua: `
${DROP_ROWS}
if redis.call('HSET', rows .. ':retried', task_id, retry_id) == 0 then return end
local json = redis.call('HGET', rows, task_id)
local row = json and cjson.decode(json)
if row and row[9] ~= '' then count_failed(rows, row, -1) end
`,
});

/**
 * Reads rows of a shard, newest first, after a position. It reads along the set or sets of the filter with the fewest tasks, and compares
 * each row with the rest of the filter. Statuses are separated by commas, search keys by spaces, and those of which a row has one by commas; an
 * absent text fits all. Replies whether more rows follow, the
 * position of the last row that was looked at, and in turn ids and rows.
 *
 * One script, because the ranks in several sets must be of the same moment. If the task of the position is gone, it is put in for the time
 * of the script: that finds its rank in O(log n), no matter how many tasks share its creation time.
 */
export const PAGE_OF_ROWS = script({
  keys: ['rows'],
  texts: ['statuses', 'tool?', 'owner?', 'reason?', 'version?', 'cause?', 'searchKeys?', 'afterTaskId?'],
  numbers: ['limit', 'maxLooks', 'from', 'before?', 'afterCreatedAt?'],
  lua: `
${DROP_ROWS}
drop_gone(rows, 100)
local chunk = 64
local searched = {}
local wanted, is_wanted, by_status, named = {'', tool, owner, reason, version, cause}, {}, {}, 0
for status in string.gmatch(statuses, '[^,]+') do
  is_wanted[status] = true
  by_status[#by_status + 1] = set_of(rows, 'status', status)
end
local function size_of(sets)
  local size = 0
  for _, set in ipairs(sets) do size = size + redis.call('ZCARD', set) end
  return size
end
local sets, size = by_status, size_of(by_status)
local function narrow(of_value)
  named = named + 1
  local size_of_value = size_of(of_value)
  if size_of_value < size then sets, size = of_value, size_of_value end
end
for at = 2, 6 do
  if wanted[at] ~= '' then narrow({set_of(rows, FIELDS[at], wanted[at])}) end
end
for keys in string.gmatch(search_keys, '%S+') do
  local any, of_keys = {}, {}
  for key in string.gmatch(keys, '[^,]+') do
    any[#any + 1] = key
    of_keys[#of_keys + 1] = set_of(rows, 'search', key)
  end
  searched[#searched + 1] = any
  narrow(of_keys)
end

local function start_of(set)
  local start = before and redis.call('ZCOUNT', set, string.format('%d', before), '+inf') or 0
  if after_task_id == '' then return start end
  local added = redis.call('ZADD', set, 'NX', string.format('%d', after_created_at), after_task_id)
  local rank = redis.call('ZREVRANK', set, after_task_id) + 1 - added
  if added == 1 then redis.call('ZREM', set, after_task_id) end
  return math.max(start, rank)
end
local lines = {}
for _, set in ipairs(sets) do lines[#lines + 1] = {set = set, start = start_of(set), ids = {}, at = 1} end
local function first_of(line)
  if line.at > #line.ids then
    line.ids = redis.call('ZRANGE', line.set, line.start, line.start + chunk - 1, 'REV', 'WITHSCORES')
    line.start = line.start + chunk
    line.at = 1
  end
  return line.ids[line.at], tonumber(line.ids[line.at + 1])
end
local function has_one(row, keys)
  for _, key in ipairs(keys) do
    -- All keys are of one length and have no space, so one is never a part of others.
    if string.find(row[11] or '', key, 1, true) then return true end
  end
  return false
end
local function fits(json)
  if sets ~= by_status or named > 0 then
    local row = cjson.decode(json)
    if not is_wanted[row[4]] then return false end
    for at = 2, 6 do
      if wanted[at] ~= '' and wanted[at] ~= row[at + 3] then return false end
    end
    for _, keys in ipairs(searched) do
      if not has_one(row, keys) then return false end
    end
  end
  return true
end

local found, looks, last_id, last_at = {}, 0, '', ''
while true do
  local newest, id, at
  for _, line in ipairs(lines) do
    local next_id, next_at = first_of(line)
    if next_id and next_at >= from and (not id or next_at > at or (next_at == at and next_id > id)) then
      newest, id, at = line, next_id, next_at
    end
  end
  if not id then return {0, last_id, last_at, found} end
  if #found == 2 * limit or looks == max_looks then return {1, last_id, last_at, found} end
  looks = looks + 1
  last_id, last_at = id, newest.ids[newest.at + 1]
  newest.at = newest.at + 2
  local json = redis.call('HGET', rows, id)
  if json and fits(json) then
    found[#found + 1] = id
    found[#found + 1] = json
  end
end
`,
  reply: ([hasMore, lastId, lastAt, found]: PageReply) => ({ hasMore: hasMore === 1, lastId, lastAt: Number(lastAt), found }),
});

type PageReply = [hasMore: 0 | 1, lastId: string, lastAt: string, found: string[]];

/** How many rows a shard has of each status, and of the failed ones by cause, with the latest end of each group. */
export const COUNT_ROWS = script({
  keys: ['rows'],
  rest: 'firstStatus',
  lua: `
${DROP_ROWS}
drop_gone(rows, 1000)
local counts = {}
for i = first_status, #ARGV do counts[#counts + 1] = redis.call('ZCARD', set_of(rows, 'status', ARGV[i])) end
return {counts, redis.call('HGETALL', rows .. ':failures'), redis.call('HGETALL', rows .. ':failed-at')}
`,
  reply: ([counts, failures, failedAt]: CountsReply) => ({ counts, failures, failedAt }),
});

/** Of statuses in their order; then in turn groups and their numbers, and groups and times. */
type CountsReply = [counts: number[], failures: string[], failedAt: string[]];

/**
 * The times of groups of failures in a shard, of each in turn: the newest task and when it was created, when the oldest failed, and how many
 * failed in each hour.
 */
export const FAILURE_TIMES = script({
  keys: ['rows'],
  numbers: ['fromHour', 'count'],
  rest: 'firstCause',
  lua: `
${DROP_ROWS}
local found = {}
for i = first_cause, #ARGV do
  local set = set_of(rows, 'cause', ARGV[i])
  local newest = redis.call('ZRANGE', set, -1, -1, 'WITHSCORES')
  local oldest = redis.call('ZRANGE', set, 0, 0)[1]
  local json = oldest and redis.call('HGET', rows, oldest)
  local fields = {}
  for hour = from_hour, from_hour + count - 1 do fields[#fields + 1] = ARGV[i] .. ':' .. string.format('%d', hour) end
  found[#found + 1] = {newest[1] or '', newest[2] or '0', json and string.format('%d', cjson.decode(json)[3]) or '0', redis.call('HMGET', rows .. ':failed-hours', unpack(fields))}
end
return found
`,
  reply: (found: TimesReply[]) =>
    found.map(([newest, createdAt, firstAt, hours]) => ({
      newest,
      createdAt: Number(createdAt),
      firstAt: Number(firstAt),
      hours: hours.map((count) => Number(count ?? 0)),
    })),
});

type TimesReply = [newest: string, createdAt: string, firstAt: string, hours: (string | null)[]];
