/** Defines the scripts of session values: a hash with the values, and a count of their bytes, under one hash tag. */
import { script } from '@longhaul/redis';

/**
 * One script, because limits hold only if looking and writing are one step. Neither key is ever left without TTL; an existing TTL stays. A
 * value is never empty, so no length means no value.
 */
export const SET_VALUE = script({
  keys: ['values', 'size'],
  texts: ['name', 'value'],
  numbers: ['ttlMs', 'maxValues', 'maxBytes'],
  flags: ['isNewOnly'],
  whenFull: 'refused',
  lua: `
local old = redis.call('HSTRLEN', values, name)
if is_new_only and old > 0 then return {'exists', 0} end
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
`,
  reply: ([verdict, grownBytes]: SetReply) => ({ verdict, grownBytes }),
});

/** The result, and by how many bytes the session has grown; less than 0 when it has shrunk. */
type SetReply = [verdict: 'set' | 'exists' | 'too-many' | 'too-large', grownBytes: number];

/** One script, so that the count goes with the value. */
export const DELETE_VALUE = script({
  keys: ['values', 'size'],
  texts: ['name'],
  lua: `
local old = redis.call('HSTRLEN', values, name)
if redis.call('HDEL', values, name) == 0 then return 0 end
if redis.call('EXISTS', size) == 1 then redis.call('DECRBY', size, old + #name) end
return 1
`,
  reply: (deleted: number) => deleted === 1,
});
