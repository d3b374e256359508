/** Defines the scripts of session places: the places of an account share a hash tag, and the list of accounts is separate. */
import { script } from '@longhaul/redis';

/**
 * One script, because counting and taking must be one step among gateways. It uses the clock of Redis, which all gateways share. Expired
 * places are removed in parts, because Lua limits the number of arguments.
 */
export const TAKE_PLACE = script({
  keys: ['sessions', 'opened'],
  texts: ['session', 'account'],
  numbers: ['limit', 'idleMs'],
  whenFull: 'refused',
  lua: `
local over
repeat
  over = redis.call('ZRANGE', sessions, '-inf', now_ms(), 'BYSCORE', 'LIMIT', 0, 1000)
  if #over > 0 then
    redis.call('ZREM', sessions, unpack(over))
    redis.call('HDEL', opened, unpack(over))
  end
until #over < 1000
if redis.call('ZCARD', sessions) >= limit then return 0 end
redis.call('ZADD', sessions, now_ms() + idle_ms, session)
redis.call('HSET', opened, session, string.format('%.0f', now_ms()))
if account ~= '' then redis.call('HSET', opened, 'account', account) end
redis.call('PEXPIRE', sessions, idle_ms)
redis.call('PEXPIRE', opened, idle_ms)
return 1
`,
  reply: (taken: number) => taken === 1,
});

/** One script, so that a place that was freed does not come back. A longer expiry stays. */
export const KEEP_PLACE = script({
  keys: ['sessions', 'opened'],
  texts: ['session'],
  numbers: ['ms'],
  lua: `
redis.call('ZADD', sessions, 'XX', now_ms() + ms, session)
redis.call('PEXPIRE', sessions, ms, 'GT')
redis.call('PEXPIRE', opened, ms, 'GT')
return redis.call('HGET', opened, 'account')
`,
  reply: (account: string | null) => account ?? undefined,
});

/** One script, so that the time of a session goes with it. */
export const FREE_PLACE = script({
  keys: ['sessions', 'opened'],
  texts: ['session'],
  lua: `
redis.call('ZREM', sessions, session)
redis.call('HDEL', opened, session)
if redis.call('EXISTS', sessions) == 0 then redis.call('DEL', opened) end
`,
});

/** One script, so that the count and the list agree. */
export const READ_PLACES = script({
  keys: ['sessions', 'opened'],
  numbers: ['most'],
  lua: `
local after = '(' .. string.format('%.0f', now_ms())
local found = {}
if most > 0 then found = redis.call('ZRANGE', sessions, '+inf', after, 'BYSCORE', 'REV', 'LIMIT', 0, most, 'WITHSCORES') end
local listed = {}
for at = 1, #found, 2 do listed[#listed + 1] = {found[at], found[at + 1], redis.call('HGET', opened, found[at])} end
return {redis.call('ZCOUNT', sessions, after, '+inf'), listed}
`,
  reply: ([count, listed]: ReadReply) => ({
    count,
    sessions: listed.map(([id, expiresAt, openedAt]) => ({
      id,
      expiresAt: Number(expiresAt),
      openedAt: Number(openedAt),
    })),
  }),
});

type ReadReply = [count: number, listed: [id: string, expiresAt: string, openedAt: string][]];

/** One script, so that the list is never left without an expiry. */
export const LIST_ACCOUNT = script({
  keys: ['accounts'],
  texts: ['account'],
  numbers: ['ms'],
  whenFull: 'refused',
  lua: `
redis.call('ZREMRANGEBYSCORE', accounts, '-inf', now_ms())
redis.call('ZADD', accounts, 'GT', now_ms() + ms, account)
redis.call('PEXPIRE', accounts, ms, 'NX')
redis.call('PEXPIRE', accounts, ms, 'GT')
`,
});
