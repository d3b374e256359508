import { script } from '@longhaul/redis';

/** Reads the records of the given ids, which are separated by spaces, in the same order. */
const RECORDS_OF = `
local function records_of(ids)
  local records = {}
  for each in string.gmatch(ids, '%S+') do
    local found = redis.call('HGET', data_keys, each)
    if found then records[#records + 1] = found end
  end
  return records
end
`;

/** One script, so that it takes one round trip. @param of the field that has the ids of the keys of a scope, the current one first */
export const DATA_KEYS_OF = script({
  keys: ['dataKeys'],
  texts: ['of'],
  lua: `
${RECORDS_OF}
return records_of(redis.call('HGET', data_keys, of) or '')
`,
  reply: (records: string[]) => records,
});

/** One script, because all processes that make the key of a scope at once must use the same key. */
export const ADD_DATA_KEY = script({
  keys: ['dataKeys'],
  texts: ['id', 'of', 'record'],
  lua: `
${RECORDS_OF}
local ids = redis.call('HGET', data_keys, of)
if ids then return records_of(ids) end
redis.call('HSETNX', data_keys, id, record)
redis.call('HSET', data_keys, of, id)
return records_of(id)
`,
  reply: (records: string[]) => records,
});

/** One script, so that a key that is put back is found by its id and by its scope, or not at all. */
export const PUT_BACK_DATA_KEY = script({
  keys: ['dataKeys'],
  texts: ['id', 'of', 'record'],
  lua: `
${RECORDS_OF}
local ids = redis.call('HGET', data_keys, of) or ''
redis.call('HSETNX', data_keys, id, record)
if not string.find(' ' .. ids .. ' ', ' ' .. id .. ' ', 1, true) then
  ids = ids == '' and id or ids .. ' ' .. id
  redis.call('HSET', data_keys, of, ids)
end
return records_of(ids)
`,
  reply: (records: string[]) => records,
});

/** One script, so that a key that another process has wrapped again since then stays unchanged. */
export const REPLACE_DATA_KEY = script({
  keys: ['dataKeys'],
  texts: ['id', 'was', 'record'],
  lua: `
if redis.call('HGET', data_keys, id) ~= was then return 0 end
redis.call('HSET', data_keys, id, record)
return 1
`,
  reply: (replaced: number) => replaced === 1,
});
