/** Defines the scripts of the index; each touches the keys of one account, under one hash tag, or of several accounts on one server. */
import { script } from '@longhaul/redis';
import type { OwnerUse } from '@longhaul/tasks';
import { KEPT_BYTES, type LimitRefusal } from '@longhaul/tasks/store';

/** A day more than the longest `ttlMs`, so that the index of an owner who is gone expires too. Tasks that run for longer keep it. */
export const INDEX_TTL_MS = 8 * 24 * 3_600_000;
const DROP_LIMIT = 128;
const DROP_EVERY = 8;

/**
 * `note` records the size of a task, and 0 removes it; `drop` drops tasks that are gone; `drop_expired` drops up to a number of expired
 * ones.
 */
const BYTES = `
local function note(bytes, task_id, taken)
  local was = tonumber(redis.call('HGET', bytes, task_id) or '0')
  if taken == was then return end
  if taken == 0 then redis.call('HDEL', bytes, task_id) else redis.call('HSET', bytes, task_id, taken) end
  redis.call('HINCRBY', bytes, 'total', taken - was)
end
local function total(bytes)
  return tonumber(redis.call('HGET', bytes, 'total') or '0')
end
local function drop(from, bytes, task_ids)
  for _, set in ipairs(from) do redis.call('ZREM', set, unpack(task_ids)) end
  for _, task_id in ipairs(task_ids) do note(bytes, task_id, 0) end
end
local function drop_expired(tasks, expiring, unlisted, bytes, limit)
  local expired = redis.call('ZRANGE', expiring, '-inf', string.format('%d', now_ms()), 'BYSCORE', 'LIMIT', 0, limit)
  if #expired > 0 then drop({tasks, expiring, unlisted}, bytes, expired) end
  return #expired
end
-- A total that is out of date refuses nobody.
local function drop_while_over(tasks, expiring, unlisted, bytes, limit_bytes)
  while total(bytes) > limit_bytes and drop_expired(tasks, expiring, unlisted, bytes, 1000) > 0 do end
end
`;

/**
 * Counts the task under all of the accounts, or under no account: `register` returns a refusal, or nothing. From the argument with the
 * number `first_limit` on, each account has its limits, which are tasks, tasks in a minute, and bytes, and whether it lists the task, as 1
 * or 0. At most `DROP_LIMIT` expired ids are dropped, once in `DROP_EVERY` registrations, the first of a minute among them.
 */
const REGISTER_BY = `
${BYTES}
local function register(first_limit)
  local function limits_of(number)
    local at = first_limit + 4 * (number - 1)
    return tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), ARGV[at + 3] == '1'
  end
  local counts = {}
  local function refuse(verdict, number, retry_after_ms)
    for earlier = 1, number do
      local _, _, _, _, minute = keys_of(earlier)
      redis.call('DECR', minute)
    end
    return {verdict, number, retry_after_ms}
  end
  -- Whose reply was lost is registered again, and takes no more than it has.
  local function is_counted(number)
    local tasks, _, unlisted = keys_of(number)
    return redis.call('ZSCORE', tasks, task_id) or redis.call('ZSCORE', unlisted, task_id)
  end
  for number = 1, sets do
    local tasks, expiring, unlisted, bytes, minute = keys_of(number)
    local max_tasks, max_per_minute, max_bytes, is_listed = limits_of(number)
    local registered = redis.call('INCR', minute)
    if registered == 1 then redis.call('PEXPIRE', minute, 60000) end
    if registered > max_per_minute and not is_counted(number) then return refuse('too-many-per-minute', number, redis.call('PTTL', minute)) end
    -- Not each time, but as many as if it were.
    if registered % ${DROP_EVERY} == 1 then drop_expired(tasks, expiring, unlisted, bytes, ${DROP_LIMIT}) end
    local listed_count, unlisted_count = redis.call('ZCARD', tasks), redis.call('ZCARD', unlisted)
    local is_full = listed_count + unlisted_count >= max_tasks and listed_count - redis.call('ZCARD', expiring) + unlisted_count >= max_tasks
    if is_full and not is_counted(number) then
      return refuse('too-many-tasks', number, 0)
    end
    local held = total(bytes)
    if held + taken > max_bytes and not is_counted(number) then
      drop_while_over(tasks, expiring, unlisted, bytes, max_bytes - taken)
      if total(bytes) + taken > max_bytes then return refuse('too-many-bytes', number, 0) end
      -- What has just been dropped may have been all.
      listed_count = 0
    end
    -- Once a minute is enough for a time to live of days.
    counts[number] = {
      needs_ttl = registered == 1 or (is_listed and listed_count or unlisted_count) == 0,
      bytes_need_ttl = registered == 1 or held == 0,
    }
  end
  for number = 1, sets do
    local tasks, _, unlisted, bytes = keys_of(number)
    local _, _, _, is_listed = limits_of(number)
    local set = is_listed and tasks or unlisted
    redis.call('ZADD', set, created_at, task_id)
    if counts[number].needs_ttl then redis.call('PEXPIRE', set, ${INDEX_TTL_MS}) end
    if taken > 0 then
      note(bytes, task_id, taken)
      if counts[number].bytes_need_ttl then redis.call('PEXPIRE', bytes, ${INDEX_TTL_MS}) end
    end
  end
end
`;

/** The keys of an account in the index. */
const ACCOUNT = ['tasks', 'expiring', 'unlisted', 'bytes', 'minute'] as const;

/** The text of `REGISTER`, for scripts that combine it with something else. */
export const REGISTERING = {
  lua: REGISTER_BY,
  sets: ACCOUNT,
  texts: ['taskId'],
  numbers: ['createdAt', 'taken'],
  /** How many of the further arguments each account has. */
  argumentsOfEach: 4,
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
  keys: ['tasks', 'expiring', 'unlisted', 'bytes'],
  texts: ['taskId'],
  numbers: ['taken', 'limitBytes'],
  lua: `
${BYTES}
local kept = '${KEPT_BYTES}' .. task_id
if redis.call('HEXISTS', bytes, kept) == 1 then
  note(bytes, kept, taken)
elseif redis.call('ZSCORE', tasks, task_id) or redis.call('ZSCORE', unlisted, task_id) then
  note(bytes, task_id, taken)
  redis.call('PEXPIRE', bytes, ${INDEX_TTL_MS})
end
drop_while_over(tasks, expiring, unlisted, bytes, limit_bytes)
return total(bytes)
`,
  reply: (bytes: number) => bytes,
});

/** Replies unfinished tasks, tasks of the minute, and bytes. One script, so that they are of the same moment. */
export const USE = script({
  keys: ['tasks', 'expiring', 'unlisted', 'bytes', 'minute'],
  lua: `
${BYTES}
drop_expired(tasks, expiring, unlisted, bytes, 1000)
return {
  redis.call('ZCARD', tasks) - redis.call('ZCARD', expiring) + redis.call('ZCARD', unlisted),
  tonumber(redis.call('GET', minute) or '0'),
  total(bytes),
}
`,
  reply: ([unfinishedTasks, tasksInMinute, historyBytes]: readonly [number, number, number]): OwnerUse => {
    return { unfinishedTasks, tasksInMinute, historyBytes };
  },
});

/** One script, because a task must not be counted in one place and forgotten in another. */
export const FORGET = script({
  keys: ['tasks', 'expiring', 'unlisted', 'bytes'],
  rest: 'firstTask',
  lua: `
${BYTES}
drop({tasks, expiring, unlisted}, bytes, {unpack(ARGV, first_task)})
`,
});

/**
 * Notes that the task has ended: `retire`. From the argument with the number `first_flag` on, each account has a flag, as 1 or 0: whether
 * the bytes of a task that it does not list count until the task expires.
 */
const RETIRE_BY = `
${BYTES}
local function retire(first_flag)
  local function expire(expiring)
    redis.call('ZADD', expiring, string.format('%d', now_ms() + kept_ms), task_id)
    redis.call('PEXPIRE', expiring, ${INDEX_TTL_MS})
  end
  -- What operators have for longer is in two sets, as a task that is not listed and has ended; so no count of tasks has it.
  local function keep_bytes(expiring, unlisted, bytes)
    local taken = tonumber(redis.call('HGET', bytes, task_id) or '0')
    if taken == 0 then return end
    local kept = '${KEPT_BYTES}' .. task_id
    note(bytes, task_id, 0)
    note(bytes, kept, taken)
    redis.call('ZADD', unlisted, '+inf', kept)
    redis.call('ZADD', expiring, string.format('%d', now_ms() + stored_ms), kept)
    for _, key in ipairs({expiring, unlisted, bytes}) do
      redis.call('PEXPIRE', key, string.format('%d', math.max(stored_ms, ${INDEX_TTL_MS})))
    end
  end
  for number = 1, sets do
    local tasks, expiring, unlisted, bytes = keys_of(number)
    if stored_ms > kept_ms then keep_bytes(expiring, unlisted, bytes) end
    if redis.call('ZREM', unlisted, task_id) == 0 then
      -- What is not listed may have been retired before: nothing may count as ended that does not count as a task.
      if redis.call('ZSCORE', tasks, task_id) then expire(expiring) end
    elseif redis.call('HEXISTS', bytes, task_id) == 1 then
      if ARGV[first_flag + number - 1] == '1' then
        redis.call('ZADD', tasks, 0, task_id)
        redis.call('PEXPIRE', tasks, ${INDEX_TTL_MS})
        expire(expiring)
      else
        note(bytes, task_id, 0)
      end
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
