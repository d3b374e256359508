/**
 * Defines the scripts that count the bytes of an account's sessions: one hash has them by the name of each session's count, with the sum as
 * `total`.
 */
import { script } from '@longhaul/redis';

/** The count of a session never falls below 0: it may have been corrected since then. */
const CHANGE = `
local function count_of(session)
  return tonumber(redis.call('HGET', account, session) or '0')
end
local function change(session, was, bytes)
  if bytes <= 0 then redis.call('HDEL', account, session) else redis.call('HSET', account, session, bytes) end
  redis.call('HINCRBY', account, 'total', math.max(bytes, 0) - was)
end
`;

/** One script, because looking and taking must be one step among processes, and the hash is never left without TTL. */
export const TAKE_BYTES = script({
  keys: ['account'],
  texts: ['session'],
  numbers: ['bytes', 'maxBytes', 'ttlMs'],
  whenFull: 'refused',
  lua: `
${CHANGE}
if tonumber(redis.call('HGET', account, 'total') or '0') + bytes > max_bytes then return 0 end
local was = count_of(session)
change(session, was, was + bytes)
redis.call('PEXPIRE', account, ttl_ms)
return 1
`,
  reply: (taken: number) => taken === 1,
});

/** One script, so that the total goes with the count. */
export const GIVE_BYTES_BACK = script({
  keys: ['account'],
  texts: ['session'],
  numbers: ['bytes'],
  lua: `
${CHANGE}
local was = count_of(session)
if was > 0 then change(session, was, was - bytes) end
`,
});

/** Triples of a session, its count, and its real size. One script, because a count that others have changed stays. */
export const CORRECT_BYTES = script({
  keys: ['account'],
  rest: 'firstTriple',
  lua: `
${CHANGE}
for at = first_triple, #ARGV, 3 do
  local session, seen, bytes = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  if count_of(session) == seen then change(session, seen, bytes) end
end
`,
});
