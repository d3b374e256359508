/**
 * Defines the scripts of a chain: a stream with the numbers of its records as ids, and a hash with its head and its base. Both keys share a
 * hash tag.
 */
import type { Appended } from '@longhaul/tasks/store';
import { script } from '@longhaul/redis';

/** One script, so that no other process writes between the look at the head and the records behind it. */
export const APPEND_AUDIT = script({
  keys: ['records', 'chain'],
  texts: ['afterHash'],
  numbers: ['after', 'keep'],
  rest: 'added',
  lua: `
local known = redis.call('HMGET', chain, 'number', 'hash', 'baseNumber')
local number, hash, base = tonumber(known[1] or 0), known[2] or '', tonumber(known[3] or 0)
if number ~= after or hash ~= after_hash then
  local id = (after + 1) .. '-0'
  local there = redis.call('XRANGE', records, id, id)[1]
  return {there and there[2][2] == ARGV[added] and 1 or 0, number, hash}
end
for at = added, #ARGV, 2 do
  number = number + 1
  hash = ARGV[at]
  redis.call('XADD', records, number .. '-0', 'hash', hash, 'entry', ARGV[at + 1])
end
redis.call('HSET', chain, 'number', number, 'hash', hash)
local gone = number - keep
if gone > base then
  local id = gone .. '-0'
  local last = redis.call('XRANGE', records, id, id)[1]
  if last then
    redis.call('HSET', chain, 'baseNumber', gone, 'baseHash', last[2][2])
    redis.call('XTRIM', records, 'MINID', '=', (gone + 1) .. '-0')
  end
end
return {1, number, hash}
`,
  reply: ([isTaken, number, hash]: [number, number, string]): Appended => ({ isTaken: isTaken === 1, head: { number, hash } }),
});
