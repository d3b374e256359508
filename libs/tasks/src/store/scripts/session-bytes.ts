/** The scripts of what the sessions of an account take: one hash, by the name of the count of each session, and of all as `total`. */
import type { RedisClient } from '../redis-connection.js';
import { REFUSED_WHEN_FULL } from './when-full.js';

/** The count of a session never falls below 0: it may have been corrected meanwhile. */
const CHANGE = `
local function count_of(session)
  return tonumber(redis.call('HGET', KEYS[1], session) or '0')
end
local function change(session, was, bytes)
  if bytes <= 0 then redis.call('HDEL', KEYS[1], session) else redis.call('HSET', KEYS[1], session, bytes) end
  redis.call('HINCRBY', KEYS[1], 'total', math.max(bytes, 0) - was)
end
`;

/** One script, because to look and to take must be one step among processes, and the hash is never left without TTL. */
const TAKE = `
local session, bytes, max_bytes, ttl_ms = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
if tonumber(redis.call('HGET', KEYS[1], 'total') or '0') + bytes > max_bytes then return 0 end
local was = count_of(session)
change(session, was, was + bytes)
redis.call('PEXPIRE', KEYS[1], ttl_ms)
return 1
`;

/** One script, so that the total goes with the count. */
const GIVE_BACK = `
local session, bytes = ARGV[1], tonumber(ARGV[2])
local was = count_of(session)
if was > 0 then change(session, was, was - bytes) end
return redis.status_reply('OK')
`;

/** Triples of a session, what was counted of it, and what it takes. One script, because a count that others have changed stays. */
const CORRECT = `
for at = 1, #ARGV, 3 do
  local session, seen, bytes = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  if count_of(session) == seen then change(session, seen, bytes) end
end
return redis.status_reply('OK')
`;

/** What is counted of a session, and what it takes. */
export interface Correction {
  readonly session: string;
  readonly seen: number;
  readonly bytes: number;
}

/** The arguments of `take` by name. */
export interface TakeArguments {
  readonly session: string;
  readonly bytes: number;
  readonly maxBytes: number;
  readonly ttlMs: number;
}

/** The only callers of the scripts; `key` is that of the account. */
export interface SessionBytesScripts {
  /** @returns 1 if there was room */
  take(key: string, args: TakeArguments): Promise<number>;
  giveBack(key: string, session: string, bytes: number): Promise<unknown>;
  correct(key: string, corrections: readonly Correction[]): Promise<unknown>;
}

interface WithSessionBytesScripts {
  longhaulTakeSessionBytes(...args: (string | number)[]): Promise<number>;
  longhaulGiveSessionBytesBack(...args: (string | number)[]): Promise<'OK'>;
  longhaulCorrectSessionBytes(...args: (string | number)[]): Promise<'OK'>;
}

/** Defines the scripts on the client. */
export function defineSessionBytesScripts(redis: RedisClient): SessionBytesScripts {
  redis.defineCommand('longhaulTakeSessionBytes', { numberOfKeys: 1, lua: REFUSED_WHEN_FULL + CHANGE + TAKE });
  redis.defineCommand('longhaulGiveSessionBytesBack', { numberOfKeys: 1, lua: CHANGE + GIVE_BACK });
  redis.defineCommand('longhaulCorrectSessionBytes', { numberOfKeys: 1, lua: CHANGE + CORRECT });
  const client = redis as RedisClient & WithSessionBytesScripts;
  return {
    take: (key, { session, bytes, maxBytes, ttlMs }) => client.longhaulTakeSessionBytes(key, session, bytes, maxBytes, ttlMs),
    giveBack: (key, session, bytes) => client.longhaulGiveSessionBytesBack(key, session, bytes),
    correct: (key, corrections) =>
      client.longhaulCorrectSessionBytes(key, ...corrections.flatMap(({ session, seen, bytes }) => [session, seen, bytes])),
  };
}
