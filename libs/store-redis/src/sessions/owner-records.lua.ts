/**
 * Defines the scripts of owners' records. A collection has a hash with its `epoch`, the number of the last change (`at`) and the last
 * change with forgotten removals (`floor`). A second hash has the records, each as the number of the change that has added it, a space, and
 * its JSON. Two sorted sets have ids by their last change: all ids, and the ids of removed records.
 */
import type { RecordPage } from '@longhaul/sessions/store';
import { script } from '@longhaul/redis';

const PRESENT = `
local found = redis.call('HMGET', meta, 'epoch', 'at', 'floor')
local present, at, floor = found[1] or '', tonumber(found[2] or '0'), tonumber(found[3] or '0')
local function keep(keys)
  if idle_ms == 0 then return end
  for _, key in ipairs(keys) do redis.call('PEXPIRE', key, idle_ms) end
end
`;

/** A number below 2^53 as it was written: Lua would write a long one with an exponent. */
const NUMBER = `
local function text_of(number) return string.format('%d', number) end
`;

/** One script, so that the records belong to the returned version. It reads about the given number of bytes, but at least one record. */
export const CHANGES_SINCE = script({
  keys: ['meta', 'records', 'changes', 'removed', 'bytes', 'names'],
  texts: ['epoch'],
  numbers: ['since', 'maxRecords', 'maxBytes', 'idleMs'],
  lua: `
${PRESENT}
${NUMBER}
keep({meta, records, changes, removed, bytes, names})
local is_anew = 0
if epoch ~= present or since > at or since < floor then
  is_anew = 1
  since = 0
end
local ids = redis.call('ZRANGE', changes, '(' .. text_of(since), '+inf', 'BYSCORE', 'LIMIT', 0, max_records, 'WITHSCORES')
local page, size, last = {}, 0, since
for index = 1, #ids, 2 do
  if size >= max_bytes then break end
  local record = redis.call('HGET', records, ids[index]) or ''
  page[#page + 1] = ids[index]
  page[#page + 1] = record
  last = tonumber(ids[index + 1])
  size = size + #record
end
return {present, text_of(last), text_of(at), is_anew, page}
`,
  reply: ([epoch, last, at, isAnew, page]: PageReply): RecordPage => ({
    version: { epoch, at: Number(last) },
    isAnew: isAnew === 1,
    hasMore: last !== at,
    records: Array.from({ length: page.length / 2 }, (_, index) => foundRecord(page[2 * index] ?? '', page[2 * index + 1] ?? '')),
  }),
});

type PageReply = [epoch: string, last: string, at: string, isAnew: number, page: string[]];

function foundRecord(id: string, text: string) {
  if (text === '') return { id };
  const space = text.indexOf(' ');
  return { id, live: { addedAt: Number(text.slice(0, space)), json: text.slice(space + 1) } };
}

/** Pairs of an id and its JSON, which is empty to remove it. One script, because all of them are applied or none, on the state that they were decided on. */
const APPLY = {
  keys: ['meta', 'records', 'changes', 'removed', 'bytes', 'names', 'turn'],
  texts: ['name', 'epoch', 'newEpoch', 'update'],
  numbers: ['since', 'maxBytes', 'overheadBytes', 'maxNames', 'keptRemovals', 'turnMs', 'idleMs'],
  rest: 'firstPair',
  lua: `
${PRESENT}
${NUMBER}
local awaited = redis.call('GET', turn)
if epoch ~= present or since ~= at or (awaited and awaited ~= update) then
  if update ~= '' then redis.call('SET', turn, update, 'PX', turn_ms, 'NX') end
  return {'conflict', 0}
end
if awaited then redis.call('DEL', turn) end
if present == '' and redis.call('SCARD', names) >= max_names then return {'too-many', 0} end
local grown, added_at = 0, {}
for pair = first_pair, #ARGV, 2 do
  local id, json = ARGV[pair], ARGV[pair + 1]
  local old = redis.call('HGET', records, id)
  if old then
    local space = string.find(old, ' ', 1, true)
    added_at[id] = string.sub(old, 1, space - 1)
    grown = grown - (#id + #old - space + overhead_bytes)
  end
  if json ~= '' then grown = grown + #id + #json + overhead_bytes end
end
local size = tonumber(redis.call('GET', bytes) or '0') + grown
if grown > 0 and size > max_bytes then return {'too-large', 0} end
for pair = first_pair, #ARGV, 2 do
  local id, json = ARGV[pair], ARGV[pair + 1]
  local added = added_at[id]
  if json ~= '' or added then
    at = at + 1
    local number = text_of(at)
    redis.call('ZADD', changes, number, id)
    if json == '' then
      redis.call('HDEL', records, id)
      redis.call('ZADD', removed, number, id)
    else
      redis.call('HSET', records, id, (added or number) .. ' ' .. json)
      if not added then redis.call('ZREM', removed, id) end
    end
  end
end
if redis.call('EXISTS', records) == 0 then
  redis.call('DEL', meta, records, changes, removed, bytes)
  redis.call('SREM', names, name)
  return {'applied', grown}
end
local forgotten = redis.call('ZCARD', removed) - kept_removals
if forgotten > 0 then
  local oldest = redis.call('ZPOPMIN', removed, forgotten)
  for index = 1, #oldest, 2 do redis.call('ZREM', changes, oldest[index]) end
  floor = tonumber(oldest[#oldest])
end
redis.call('HSET', meta, 'epoch', present == '' and new_epoch or present, 'at', text_of(at), 'floor', text_of(floor))
redis.call('SET', bytes, text_of(size))
redis.call('SADD', names, name)
keep({meta, records, changes, removed, bytes, names})
return {'applied', grown}
`,
  reply: ([verdict, grownBytes]: ApplyReply) => ({ verdict, grownBytes }),
} as const;

/** The result, and by how many bytes the collection has grown; less than 0 when it has shrunk. */
type ApplyReply = [verdict: 'applied' | 'conflict' | 'too-large' | 'too-many', grownBytes: number];

export const APPLY_CHANGES = script({ ...APPLY, whenFull: 'refused' });

/** The same for changes that only remove, which always have room. */
export const APPLY_REMOVALS = script(APPLY);
