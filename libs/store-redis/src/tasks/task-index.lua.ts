/** Defines the scripts of the index; each touches the keys of one account, under one hash tag, or of several accounts on one server. */
import { script } from '@longhaul/redis';
import type { OwnerUse } from '@longhaul/tasks';
import { KEPT_BYTES, type LimitRefusal } from '@longhaul/tasks/store';

/** A day more than the longest `ttlMs`, so that the index of an owner who is gone expires too. Tasks that run for longer keep it. */
export const INDEX_TTL_MS = 8 * 24 * 3_600_000;
const DROP_LIMIT = 128;
const DROP_EVERY = 8;
const MINUTE_MS = 60_000;

/** Before the id of an ended task: the entry that says when the task may be forgotten. */
export const ENDED = 'ended:';

/**
 * The score below which a list has names of bytes that count without a task. A list has three parts:
 *
 * - from 0 up, the tasks of an owner, or the unfinished ones of an address, by when they were created;
 * - below 0, `ENDED` and a task, by when the task may be forgotten, with a minus;
 * - below this score, `KEPT_BYTES` and a task, by this score less the time until when its bytes count.
 */
const KEPT = '-1000000000000000';

/**
 * `note` records the size of a task, and 0 removes it. `unfinished` counts tasks. `drop` drops tasks that are gone. `drop_expired` drops up
 * to a number of expired ones, and as many expired names of bytes.
 */
const COUNTS = `
local function note(account, task_id, taken)
  local was = tonumber(redis.call('HGET', account, task_id) or '0')
  if taken == was then return end
  if taken == 0 then redis.call('HDEL', account, task_id) else redis.call('HSET', account, task_id, taken) end
  redis.call('HINCRBY', account, 'total', taken - was)
end
local function total(account)
  return tonumber(redis.call('HGET', account, 'total') or '0')
end
local function unfinished(tasks)
  return redis.call('ZCOUNT', tasks, '0', '+inf') - redis.call('ZCOUNT', tasks, '(${KEPT}', '(0')
end
local function drop(account, tasks, task_ids)
  local ended = {}
  for at, task_id in ipairs(task_ids) do ended[at] = '${ENDED}' .. task_id end
  redis.call('ZREM', tasks, unpack(task_ids))
  redis.call('ZREM', tasks, unpack(ended))
  for at, taken in ipairs(redis.call('HMGET', account, unpack(task_ids))) do
    if taken then note(account, task_ids[at], 0) end
  end
end
local function drop_expired(account, tasks, limit)
  local function expired(from, to)
    return redis.call('ZRANGE', tasks, string.format('%d', from - now_ms()), to, 'BYSCORE', 'LIMIT', '0', limit)
  end
  local names = expired(${KEPT}, '${KEPT}')
  for _, ended in ipairs(expired(0, '(0')) do table.insert(names, string.sub(ended, ${ENDED.length + 1})) end
  if #names > 0 then drop(account, tasks, names) end
  return #names
end
-- A total that is out of date refuses nobody.
local function drop_while_over(account, tasks, limit_bytes)
  while total(account) > limit_bytes and drop_expired(account, tasks, '1000') > 0 do end
end
`;

/**
 * Counts the task under all of the accounts, or under no account: `register` returns a refusal, or nothing. From the argument with the
 * number `first_limit` on, each account has its limits, which are tasks, tasks in a minute, and bytes. At most `DROP_LIMIT` expired ids are
 * dropped, once in `DROP_EVERY` registrations, the first of a minute among them.
 *
 * Each task pays for this script, so nothing is counted that the list shows.
 */
const REGISTER_BY = `
${COUNTS}
local function register(first_limit)
  -- Whose reply was lost is registered again, and takes no more than it has.
  local function is_counted(tasks)
    return redis.call('ZSCORE', tasks, task_id)
  end
  local counts = {}
  for number = 1, sets do
    local account, tasks = keys_of(number)
    local at = first_limit + 3 * (number - 1)
    local max_tasks, max_per_minute, max_bytes = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
    local held = redis.call('HMGET', account, 'minute', 'minute_ends', 'total')
    local minute, minute_ends, bytes = tonumber(held[1] or '0'), tonumber(held[2] or '0'), tonumber(held[3] or '0')
    if minute_ends <= now_ms() then minute = 0 end
    if minute >= max_per_minute and not is_counted(tasks) then return {'too-many-per-minute', number, minute_ends - now_ms()} end
    -- Not each time, but as many as if it were.
    if minute % ${DROP_EVERY} == 0 then drop_expired(account, tasks, '${DROP_LIMIT}') end
    local listed = redis.call('ZCARD', tasks)
    if listed >= max_tasks and unfinished(tasks) >= max_tasks and not is_counted(tasks) then return {'too-many-tasks', number, 0} end
    if bytes + taken > max_bytes and not is_counted(tasks) then
      drop_while_over(account, tasks, max_bytes - taken)
      if total(account) + taken > max_bytes then return {'too-many-bytes', number, 0} end
      -- What has just been dropped may have been all.
      listed = 0
    end
    -- Once a minute is enough for a time to live of days.
    counts[number] = {is_first = minute == 0, needs_ttl = minute == 0 or listed == 0, has_bytes = bytes > 0}
  end
  for number = 1, sets do
    local account, tasks = keys_of(number)
    local count = counts[number]
    redis.call('ZADD', tasks, created_at, task_id)
    if count.needs_ttl then redis.call('PEXPIRE', tasks, ${INDEX_TTL_MS}) end
    if count.is_first then
      redis.call('HSET', account, 'minute', '1', 'minute_ends', string.format('%d', now_ms() + ${MINUTE_MS}))
      redis.call('PEXPIRE', account, count.has_bytes and ${INDEX_TTL_MS} or ${MINUTE_MS})
    else
      redis.call('HINCRBY', account, 'minute', '1')
    end
    if taken > 0 then
      note(account, task_id, taken)
      redis.call('PEXPIRE', account, ${INDEX_TTL_MS})
    end
  end
end
`;

/** The keys of an account in the index. */
const ACCOUNT = ['account', 'tasks'] as const;

/** The text of `REGISTER`, for scripts that combine it with something else. */
export const REGISTERING = {
  lua: REGISTER_BY,
  sets: ACCOUNT,
  /** A time that Lua does not compute with is a text: Redis takes long to write a number of Lua. */
  texts: ['taskId', 'createdAt'],
  numbers: ['taken'],
  /** How many of the further arguments each account has. */
  argumentsOfEach: 3,
} as const;

/**
 * One script, because limits hold among gateways only if count and registration are one step. A task is never dropped from one of the sets
 * only, and no set is left without TTL.
 */
export const REGISTER = script({
  keys: [],
  sets: REGISTERING.sets,
  texts: REGISTERING.texts,
  numbers: REGISTERING.numbers,
  rest: 'firstLimit',
  whenFull: 'refused',
  lua: `
${REGISTER_BY}
return register(first_limit)
`,
  reply: (refusal: Refused | null) => refusal ?? undefined,
});

/** Why a task was not registered, the number of the account with the exceeded limit, from 1, and when its minute ends. */
export type Refused = readonly [verdict: LimitRefusal['verdict'], account: number, retryAfterMs: number];

/**
 * Replies the size of the owner's tasks. One script, because no size may be noted for a task that has just been dropped: it would never be
 * dropped again.
 */
export const COUNT_BYTES = script({
  keys: ACCOUNT,
  texts: ['taskId'],
  numbers: ['taken', 'limitBytes'],
  lua: `
${COUNTS}
local kept = '${KEPT_BYTES}' .. task_id
if redis.call('HEXISTS', account, kept) == 1 then
  note(account, kept, taken)
elseif redis.call('ZSCORE', tasks, task_id) then
  note(account, task_id, taken)
  redis.call('PEXPIRE', account, ${INDEX_TTL_MS})
end
drop_while_over(account, tasks, limit_bytes)
return total(account)
`,
  reply: (bytes: number) => bytes,
});

/** Replies unfinished tasks, tasks of the minute, and bytes. One script, so that they are of the same moment. */
export const USE = script({
  keys: ACCOUNT,
  lua: `
${COUNTS}
drop_expired(account, tasks, '1000')
local held = redis.call('HMGET', account, 'minute', 'minute_ends')
local is_over = tonumber(held[2] or '0') <= now_ms()
return {unfinished(tasks), is_over and 0 or tonumber(held[1]), total(account)}
`,
  reply: ([unfinishedTasks, tasksInMinute, historyBytes]: readonly [number, number, number]): OwnerUse => {
    return { unfinishedTasks, tasksInMinute, historyBytes };
  },
});

/** One script, because a task must not be counted in one place and forgotten in another. */
export const FORGET = script({
  keys: ACCOUNT,
  rest: 'firstTask',
  lua: `
${COUNTS}
drop(account, tasks, {unpack(ARGV, first_task)})
`,
});

/**
 * Notes that the task has ended: `retire`. From the argument with the number `first_flag` on, each account has a flag, as 1 or 0: whether
 * it is an address, which lists no ended task. The bytes of such a task count until the task expires.
 */
const RETIRE_BY = `
${COUNTS}
local function retire(first_flag)
  local function keep_bytes(account, tasks)
    local taken = tonumber(redis.call('HGET', account, task_id) or '0')
    if taken == 0 then return end
    local kept, for_ms = '${KEPT_BYTES}' .. task_id, math.max(kept_ms, stored_ms)
    note(account, task_id, 0)
    note(account, kept, taken)
    redis.call('ZADD', tasks, string.format('%d', ${KEPT} - now_ms() - for_ms), kept)
    for _, key in ipairs({account, tasks}) do
      redis.call('PEXPIRE', key, string.format('%d', math.max(for_ms, ${INDEX_TTL_MS})))
    end
  end
  for number = 1, sets do
    local account, tasks = keys_of(number)
    local is_address = ARGV[first_flag + number - 1] == '1'
    if is_address or stored_ms > kept_ms then keep_bytes(account, tasks) end
    if is_address then
      redis.call('ZREM', tasks, task_id)
    -- Nothing may count as ended that does not count as a task.
    elseif redis.call('ZSCORE', tasks, task_id) then
      redis.call('ZADD', tasks, string.format('%d', -now_ms() - kept_ms), '${ENDED}' .. task_id)
    end
  end
end
`;

/** The text of `RETIRE`, for scripts that combine it with something else. */
export const RETIRING = {
  lua: RETIRE_BY,
  sets: ACCOUNT,
  texts: ['taskId'],
  numbers: ['keptMs', 'storedMs'],
  argumentsOfEach: 1,
} as const;

/** One script, so that no set is left without TTL, and an unlisted task is dropped without a read first. */
export const RETIRE = script({
  keys: [],
  sets: RETIRING.sets,
  texts: RETIRING.texts,
  numbers: RETIRING.numbers,
  rest: 'firstFlag',
  lua: `
${RETIRE_BY}
retire(first_flag)
`,
});

/**
 * One script, because the rank of the cursor and the range after it must be of the same moment. If the task of the cursor is gone, it is
 * put in for the time of the script: that finds its rank in O(log n), no matter how many tasks share its creation time, and no other client
 * can see it.
 */
export const PAGE = script({
  keys: ['tasks'],
  texts: ['afterTaskId'],
  numbers: ['limit', 'afterCreatedAt'],
  lua: `
local start = 0
if after_task_id ~= '' then
  local added = redis.call('ZADD', tasks, 'NX', after_created_at, after_task_id)
  start = redis.call('ZREVRANK', tasks, after_task_id) + 1 - added
  if added == 1 then redis.call('ZREM', tasks, after_task_id) end
end
return redis.call('ZRANGE', tasks, start, start + limit - 1, 'REV', 'WITHSCORES')
`,
  reply: (membersAndScores: string[]) => membersAndScores,
});

/** One script, because a claim may only be marked by the task that holds it. */
export const KEEP_KEY = script({
  keys: ['key'],
  texts: ['taskId'],
  numbers: ['ttlMs'],
  lua: `
local claim = redis.call('GET', key)
if not claim or string.sub(claim, 1, #task_id + 1) ~= task_id .. ':' then return end
if string.sub(claim, -5) ~= ':used' then claim = claim .. ':used' end
redis.call('SET', key, claim, 'PX', ttl_ms)
`,
});
