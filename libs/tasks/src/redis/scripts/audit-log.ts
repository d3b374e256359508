/** A stream whose ids are the numbers of its entries: both keys share a hash tag. */
import { script } from '@longhaul/redis';

/** One script, so that numbers follow each other. */
export const APPEND_AUDIT = script({
  keys: ['entries', 'last'],
  texts: ['entry'],
  numbers: ['keep'],
  lua: `
local number = redis.call('INCR', last)
redis.call('XADD', entries, 'MAXLEN', '=', keep, number .. '-0', 'entry', entry)
return number
`,
  reply: (number: number) => number,
});
