/** The scripts of session values: a hash with the values, and a count of their bytes, under one hash tag. */
import type { RedisClient } from '../redis-connection.js';
import { REFUSED_WHEN_FULL } from './when-full.js';

/**
 * One script, because limits hold only if looking and writing are one step, and neither key is ever left without TTL; one that
 * a key has already stays. A value is never empty, so no length means no value.
 */
const SET = `
local values, size = KEYS[1], KEYS[2]
local name, value, is_new_only, ttl_ms, max_values, max_bytes =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
local old = redis.call('HSTRLEN', values, name)
if is_new_only == '1' and old > 0 then return {'exists', 0} end
local count = redis.call('HLEN', values)
if old == 0 and count >= max_values then return {'too-many', 0} end
local grown = #value - old
if old == 0 then grown = grown + #name end
local bytes = grown
if count > 0 then bytes = bytes + tonumber(redis.call('GET', size) or '0') end
if grown > 0 and bytes > max_bytes then return {'too-large', 0} end
redis.call('HSET', values, name, value)
redis.call('PEXPIRE', values, ttl_ms, 'NX')
redis.call('SET', size, string.format('%d', bytes), 'PX', math.max(redis.call('PTTL', values), 1))
return {'set', grown}
`;

/** One script, so that the count goes with the value. */
const DELETE = `
local values, size = KEYS[1], KEYS[2]
local name = ARGV[1]
local old = redis.call('HSTRLEN', values, name)
if redis.call('HDEL', values, name) == 0 then return 0 end
if redis.call('EXISTS', size) == 1 then redis.call('DECRBY', size, old + #name) end
return 1
`;

/** The keys of one session. */
export interface SessionValueKeys {
  readonly values: string;
  readonly size: string;
}

/** What is to be set, and the limits. */
export interface SetArguments {
  readonly name: string;
  readonly json: string;
  /** Whether a value that there is already stays. */
  readonly isNewOnly: boolean;
  readonly ttlMs: number;
  readonly maxValues: number;
  readonly maxBytes: number;
}

/** What became of it, and by how many bytes the session has grown; less than 0 when it has shrunk. */
export type SetReply = [verdict: 'set' | 'exists' | 'too-many' | 'too-large', grownBytes: number];

/** The only callers of the scripts. */
export interface SessionValueScripts {
  set(keys: SessionValueKeys, args: SetArguments): Promise<SetReply>;
  /** @returns 1 when there was a value */
  delete(keys: SessionValueKeys, name: string): Promise<number>;
}

interface WithSessionValueScripts {
  longhaulSetSessionValue(...args: (string | number)[]): Promise<SetReply>;
  longhaulDeleteSessionValue(...args: string[]): Promise<number>;
}

/** Defines the scripts on the client. */
export function defineSessionValueScripts(redis: RedisClient): SessionValueScripts {
  redis.defineCommand('longhaulSetSessionValue', { numberOfKeys: 2, lua: REFUSED_WHEN_FULL + SET });
  redis.defineCommand('longhaulDeleteSessionValue', { numberOfKeys: 2, lua: DELETE });
  const client = redis as RedisClient & WithSessionValueScripts;
  return {
    set: ({ values, size }, { name, json, isNewOnly, ttlMs, maxValues, maxBytes }) =>
      client.longhaulSetSessionValue(values, size, name, json, isNewOnly ? 1 : 0, ttlMs, maxValues, maxBytes),
    delete: ({ values, size }, name) => client.longhaulDeleteSessionValue(values, size, name),
  };
}
