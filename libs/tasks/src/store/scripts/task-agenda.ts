/**
 * The scripts of the agenda; each touches one shard. Dates are epoch milliseconds by Redis' own clock. A date
 * that a lease left ends in half a millisecond, which no other date does: so a look knows whether its entry was
 * dated meanwhile, and a writer that its date takes the place of a lease, however late it is.
 */
import type { RedisClient } from '../redis-connection.js';

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** An entry is only brought forward, unless it is leased. For scripts that have the shard among their keys. */
export const DATE_TASK = `
local function date_task(shard, task_id, at)
  local was = tonumber(redis.call('ZSCORE', shard, task_id) or '')
  local is_leased = was and was % 1 ~= 0
  if not was or is_leased or at < was then redis.call('ZADD', shard, at, task_id) end
end
`;

/** One script, because the entry may change between the look at it and the write. */
const DATE = `
${DATE_TASK}
${NOW}
date_task(KEYS[1], ARGV[1], now + tonumber(ARGV[2]))
return redis.status_reply('OK')
`;

/** One script, so that an entry is taken by one worker. */
const TAKE = `
local shard = KEYS[1]
local limit, lease_ms = ARGV[1], tonumber(ARGV[2])
${NOW}
local due = redis.call('ZRANGE', shard, '-inf', now, 'BYSCORE', 'LIMIT', 0, limit)
local lease = now + lease_ms + 0.5
for _, task_id in ipairs(due) do redis.call('ZADD', shard, 'XX', lease, task_id) end
return {string.format('%.1f', lease), redis.call('ZCARD', shard), due}
`;

/** One script, because only what has the date of the lease may be changed. */
const SETTLE = `
local shard = KEYS[1]
local lease = tonumber(ARGV[1])
local first_verdict = 2
${NOW}
for i = first_verdict, #ARGV, 2 do
  local task_id, verdict = ARGV[i], ARGV[i + 1]
  if tonumber(redis.call('ZSCORE', shard, task_id) or '0') == lease then
    if verdict == 'remove' then redis.call('ZREM', shard, task_id) else redis.call('ZADD', shard, now + verdict, task_id) end
  end
end
return redis.status_reply('OK')
`;

/** A script for the clock of Redis. */
const ENSURE = `
local shard = KEYS[1]
local only_if = ARGV[1]
local first_task = 2
${NOW}
for i = first_task, #ARGV do redis.call('ZADD', shard, only_if, now, ARGV[i]) end
return redis.status_reply('OK')
`;

interface WithAgendaScripts {
  longhaulDate(shard: string, taskId: string, inMs: number): Promise<'OK'>;
  longhaulTake(shard: string, limit: number, leaseMs: number): Promise<[lease: string, size: number, due: string[]]>;
  longhaulSettle(shard: string, lease: number, ...verdicts: (string | number)[]): Promise<'OK'>;
  longhaulEnsure(shard: string, onlyIf: 'NX' | 'LT', ...taskIds: string[]): Promise<'OK'>;
}

/** The only callers of the scripts. */
export interface AgendaScripts {
  date(shard: string, taskId: string, inMs: number): Promise<unknown>;
  take(shard: string, limit: number, leaseMs: number): Promise<[lease: string, size: number, due: string[]]>;
  /** @param verdicts task ids, and for each in how many milliseconds it is due again, or `remove` */
  settle(shard: string, lease: number, verdicts: readonly (readonly [taskId: string, verdict: number | 'remove'])[]): Promise<unknown>;
  /** Dates tasks for now: those without an entry (`NX`), or also those with a later one (`LT`). */
  ensure(shard: string, onlyIf: 'NX' | 'LT', taskIds: readonly string[]): Promise<unknown>;
}

/** Defines the scripts on the client. */
export function defineAgendaScripts(redis: RedisClient): AgendaScripts {
  redis.defineCommand('longhaulDate', { numberOfKeys: 1, lua: DATE });
  redis.defineCommand('longhaulTake', { numberOfKeys: 1, lua: TAKE });
  redis.defineCommand('longhaulSettle', { numberOfKeys: 1, lua: SETTLE });
  redis.defineCommand('longhaulEnsure', { numberOfKeys: 1, lua: ENSURE });
  const client = redis as RedisClient & WithAgendaScripts;
  return {
    date: (shard, taskId, inMs) => client.longhaulDate(shard, taskId, inMs),
    take: (shard, limit, leaseMs) => client.longhaulTake(shard, limit, leaseMs),
    settle: (shard, lease, verdicts) => client.longhaulSettle(shard, lease, ...verdicts.flat()),
    ensure: (shard, onlyIf, taskIds) => client.longhaulEnsure(shard, onlyIf, ...taskIds),
  };
}
