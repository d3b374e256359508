import { script } from '@longhaul/redis';

/** One script, because of several processes that make the key of a scope at once all must take the same one. */
export const ADD_DATA_KEY = script({
  keys: ['dataKeys'],
  texts: ['id', 'record'],
  lua: `
redis.call('HSETNX', data_keys, id, record)
return redis.call('HGET', data_keys, id)
`,
  reply: (kept: string) => kept,
});

/** One script, so that a key that somebody else has wrapped anew meanwhile stays as it is. */
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
