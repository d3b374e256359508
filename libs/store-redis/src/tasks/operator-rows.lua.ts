/**
 * Defines the Lua functions that change operators' rows; each script touches one shard. A shard is a hash of rows, and for each value by
 * which rows are found, a sorted set of task ids by creation time. The names of the sets follow from the rows and begin with the name of
 * the hash, so all of them have its hash tag.
 *
 * A row is a list: see `storedRow`.
 */
import { remembered, type TaskId, type TaskRow } from '@longhaul/tasks';
import { createHash } from 'node:crypto';

/**
 * A row as the scripts know it: version, creation, end, then the values by which it is found, then when it is gone and its search keys; `0` and `''` for absent
 * values.
 */
type StoredRow = readonly [
  viewVersion: number,
  createdAt: number,
  endedAt: number,
  status: TaskRow['status'],
  tool: string,
  owner: string,
  reason: string,
  version: string,
  cause: string,
  goneAt: number,
  /** Only of a task that has some, separated by spaces. */
  searchKeys?: string,
];

/** The row as it is kept. */
export function storedRow({
  viewVersion,
  createdAt,
  endedAt = 0,
  status,
  tool,
  owner,
  reason = '',
  version = '',
  cause = '',
  goneAt = 0,
  searchKeys = [],
}: TaskRow): string {
  const row: StoredRow = [viewVersion, createdAt, endedAt, status, tool, owner, reason, version, cause, goneAt];
  return JSON.stringify(searchKeys.length === 0 ? row : [...row, searchKeys.join(' ')]);
}

/** The row that was kept. */
export function rowFrom(taskId: TaskId, json: string): TaskRow {
  const [viewVersion, createdAt, endedAt, status, tool, owner, reason, version, cause, goneAt, searchKeys] = JSON.parse(json) as StoredRow;
  return {
    taskId,
    viewVersion,
    createdAt,
    ...(endedAt > 0 && { endedAt }),
    status,
    tool,
    owner,
    ...(reason !== '' && { reason }),
    ...(version !== '' && { version }),
    ...(cause !== '' && { cause }),
    ...(searchKeys !== undefined && { searchKeys: searchKeys.split(' ') }),
    ...(goneAt > 0 && { goneAt }),
  };
}

/** Each owner is an account of many tasks. */
const REMEMBERED_OWNERS = 1_000;
const sha1Of = remembered(REMEMBERED_OWNERS, (owner) => createHash('sha1').update(owner).digest('hex'));

/** The sets in which the first row of a task is, by the names that `set_of` gives them. */
export function setsOf(rows: string, { status, tool, owner, reason, version, cause, searchKeys = [] }: TaskRow): string[] {
  const values = { status, tool, owner: sha1Of(owner), reason, version, cause };
  const named = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return [...named.map(([field, value]) => `${rows}:${field}:${value}`), ...searchKeys.map((key) => `${rows}:search:${key}`)];
}

/** `set_of` is the set of a value, `search_sets` those of the search keys of a row; `FIELDS` are the members by which rows are found, the first of them in the fourth position of a row. */
const SETS_OF_ROWS = `
local FIELDS = {'status', 'tool', 'owner', 'reason', 'version', 'cause'}
-- An owner is any text, and may be long or personal.
local function set_of(rows, field, value)
  return rows .. ':' .. field .. ':' .. (field == 'owner' and redis.sha1hex(value) or value)
end
local function search_sets(rows, row)
  local sets = {}
  for key in string.gmatch(row and row[11] or '', '%S+') do sets[#sets + 1] = set_of(rows, 'search', key) end
  return sets
end
`;

/** Failed tasks are counted by cause, and by cause and hour: `count_failed` counts one more or one less. */
const COUNT_FAILED = `
local function count_failed(rows, row, by)
  local group = cjson.encode({row[9], row[5], row[7]})
  local hour = row[9] .. ':' .. string.format('%d', math.floor(row[3] / 3600000))
  if redis.call('HINCRBY', rows .. ':failed-hours', hour, by) <= 0 then redis.call('HDEL', rows .. ':failed-hours', hour) end
  if redis.call('HINCRBY', rows .. ':failures', group, by) <= 0 then
    redis.call('HDEL', rows .. ':failures', group)
    redis.call('HDEL', rows .. ':failed-at', group)
  elseif by > 0 and row[3] > tonumber(redis.call('HGET', rows .. ':failed-at', group) or '0') then
    redis.call('HSET', rows .. ':failed-at', group, string.format('%d', row[3]))
  end
end
`;

/** `drop_row` drops a row, `drop_gone` up to a number of rows with tasks that are gone. */
export const DROP_ROWS = `
${SETS_OF_ROWS}${COUNT_FAILED}
local function drop_row(rows, task_id)
  local json = redis.call('HGET', rows, task_id)
  local is_retried = redis.call('HDEL', rows .. ':retried', task_id) == 1
  redis.call('ZREM', rows .. ':gone', task_id)
  if not json then return end
  local row = cjson.decode(json)
  for at, field in ipairs(FIELDS) do
    if row[at + 3] ~= '' then redis.call('ZREM', set_of(rows, field, row[at + 3]), task_id) end
  end
  for _, set in ipairs(search_sets(rows, row)) do redis.call('ZREM', set, task_id) end
  if row[9] ~= '' and not is_retried then count_failed(rows, row, -1) end
  redis.call('HDEL', rows, task_id)
end
local function drop_gone(rows, limit)
  local gone = redis.call('ZRANGE', rows .. ':gone', '-inf', string.format('%d', now_ms()), 'BYSCORE', 'LIMIT', 0, limit)
  for _, task_id in ipairs(gone) do drop_row(rows, task_id) end
end
`;

/**
 * `write_row` writes a row, unless the shard has a row of a later version. Each write for an ended task drops more rows of tasks that are
 * gone than it adds.
 *
 * @param gone_at when the task is gone, by the clock of Redis; nil for a task that has not ended
 */
export const WRITE_ROW = `
${DROP_ROWS}
local function write_row(rows, task_id, json, gone_at)
  local was_json = redis.call('HGET', rows, task_id)
  if was_json == json then return end
  local row, was = cjson.decode(json), was_json and cjson.decode(was_json)
  if was and was[1] > row[1] then return end
  for at, field in ipairs(FIELDS) do
    local value, before = row[at + 3], was and was[at + 3] or ''
    if value ~= before then
      if before ~= '' then redis.call('ZREM', set_of(rows, field, before), task_id) end
      if value ~= '' then redis.call('ZADD', set_of(rows, field, value), string.format('%d', row[2]), task_id) end
    end
  end
  if row[11] ~= (was and was[11]) then
    for _, set in ipairs(search_sets(rows, was)) do redis.call('ZREM', set, task_id) end
    for _, set in ipairs(search_sets(rows, row)) do redis.call('ZADD', set, string.format('%d', row[2]), task_id) end
  end
  local cause_before = was and was[9] or ''
  local has_changed = row[9] ~= cause_before or (was and (row[3] ~= was[3] or row[5] ~= was[5] or row[7] ~= was[7]))
  if (cause_before ~= '' or row[9] ~= '') and has_changed and redis.call('HEXISTS', rows .. ':retried', task_id) == 0 then
    if cause_before ~= '' then count_failed(rows, was, -1) end
    if row[9] ~= '' then count_failed(rows, row, 1) end
  end
  redis.call('HSET', rows, task_id, json)
  if gone_at then
    -- Not each time, but as many as if it were.
    if now_ms() % 8 == 0 then drop_gone(rows, 16) end
    redis.call('ZADD', rows .. ':gone', string.format('%d', gone_at), task_id)
  elseif was and was[3] > 0 then
    redis.call('ZREM', rows .. ':gone', task_id)
  end
end
`;
