import { script } from '@longhaul/redis';

/** One script, because a claim may only be marked by the task that holds it. */
export const KEEP_KEY = script({
  keys: ['key'],
  texts: ['taskId'],
  numbers: ['ttlMs'],
  lua: `
local claim = redis.call('GET', key)
if not claim or string.sub(claim, 1, #task_id + 1) ~= task_id .. ':' then return end
if string.sub(claim, -5) ~= ':used' then claim = claim .. ':used' end
redis.call('SET', key, claim, 'PX', ttl_ms)
`,
});
