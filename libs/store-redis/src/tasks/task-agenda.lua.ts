/**
 * Defines the scripts of the agenda; each touches one shard. Dates are epoch milliseconds by Redis' own clock. The date of a lease ends in
 * half a millisecond, and no other date does. So a look knows whether its entry was dated since then, and a writer knows that its date
 * replaces a lease, no matter how late it is.
 */
import { script } from '@longhaul/redis';

/** An entry is only brought forward, unless it is leased. For scripts that have the shard among their keys. */
export const DATE_TASK = `
local function date_task(shard, task_id, at)
  local was = tonumber(redis.call('ZSCORE', shard, task_id) or '')
  local is_leased = was and was % 1 ~= 0
  if not was or is_leased or at < was then redis.call('ZADD', shard, at, task_id) end
end
`;

/** One script, because the entry may change between the look at it and the write. */
export const DATE = script({
  keys: ['shard'],
  texts: ['taskId'],
  numbers: ['inMs'],
  lua: `
${DATE_TASK}
local now = now_ms()
date_task(shard, task_id, now + in_ms)
`,
});

/** One script, so that an entry is taken by one worker. */
export const TAKE_DUE = script({
  keys: ['shard'],
  numbers: ['limit', 'leaseMs'],
  lua: `
local now = now_ms()
local due = redis.call('ZRANGE', shard, '-inf', now, 'BYSCORE', 'LIMIT', 0, limit)
local lease = now + lease_ms + 0.5
for _, task_id in ipairs(due) do redis.call('ZADD', shard, 'XX', lease, task_id) end
return {string.format('%.1f', lease), redis.call('ZCARD', shard), due}
`,
  reply: ([lease, size, due]: [lease: string, size: number, due: string[]]) => ({ lease: Number(lease), size, due }),
});

/**
 * Takes in turn a task and the milliseconds until it is due again, or `remove`. One script, because only what has the
 * date of the lease may be changed.
 */
export const SETTLE = script({
  keys: ['shard'],
  numbers: ['lease'],
  rest: 'firstVerdict',
  lua: `
local now = now_ms()
for i = first_verdict, #ARGV, 2 do
  local task_id, verdict = ARGV[i], ARGV[i + 1]
  if tonumber(redis.call('ZSCORE', shard, task_id) or '0') == lease then
    if verdict == 'remove' then redis.call('ZREM', shard, task_id) else redis.call('ZADD', shard, now + verdict, task_id) end
  end
end
`,
});

/**
 * Dates tasks for now: tasks without an entry (`NX`), or also tasks with a later one (`LT`). It is a script because it needs the clock of
 * Redis.
 */
export const ENSURE = script({
  keys: ['shard'],
  texts: ['onlyIf'],
  rest: 'firstTask',
  lua: `
local now = now_ms()
for i = first_task, #ARGV do redis.call('ZADD', shard, only_if, now, ARGV[i]) end
`,
});
