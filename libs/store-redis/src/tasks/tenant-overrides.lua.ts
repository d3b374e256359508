/** Stores the operators' settings of tenants: a hash, and the number of its last change. Both keys share a hash tag. */
import { script } from '@longhaul/redis';

/** Replies the number of the last change, and if that is not the known one, names and settings in turn. */
export const READ_TENANTS = script({
  keys: ['settings', 'changed'],
  numbers: ['known'],
  lua: `
local change = tonumber(redis.call('GET', changed) or 0)
if change == known then return {change} end
return {change, redis.call('HGETALL', settings)}
`,
  reply: ([change, all]: [number, string[]?]) => ({ change, all }),
});

/**
 * One script, so that no reader sees a change without its number. Settings that are '' are removed. A change of -1 fits any; replies 0 if
 * the given one is not the last one.
 */
export const SET_TENANT = script({
  keys: ['settings', 'changed'],
  texts: ['name', 'value'],
  numbers: ['change'],
  lua: `
if change >= 0 and change ~= tonumber(redis.call('GET', changed) or 0) then return 0 end
if value == '' then redis.call('HDEL', settings, name) else redis.call('HSET', settings, name, value) end
redis.call('INCR', changed)
return 1
`,
  reply: (isKept: number) => isKept === 1,
});
