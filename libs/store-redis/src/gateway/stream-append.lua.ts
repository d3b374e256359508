import type { AppendVerdict } from '@longhaul/sessions/gateway';
import { script } from '@longhaul/redis';

/**
 * One script, because a stream that was taken over must not get a question or an answer twice: the check of the epoch and the entry must be
 * one step. Neither key may be left without TTL. An append by an earlier writer notifies the present one. Without memory it is refused: a
 * message goes out without its copy in the log.
 */
export const APPEND = script({
  keys: ['meta', 'log', 'open'],
  texts: ['streamId', 'json', 'changed'],
  numbers: ['epoch', 'maxEntries', 'ttlMs', 'finishedTtlMs'],
  flags: ['isExclusive', 'isAnswer'],
  whenFull: 'refused',
  lua: `
local held = tonumber(redis.call('HGET', meta, 'epoch') or '')
if not held then return 'gone' end
if held ~= epoch and is_exclusive then return 'taken' end

local now = now_ms()
local n = redis.call('HINCRBY', meta, 'last', 1)
redis.call('XADD', log, 'MAXLEN', '~', max_entries, string.format('%d-0', n), 'json', json, 'at', string.format('%d', now))
local is_finished = 0
if is_answer and redis.call('HINCRBY', meta, 'due', -1) <= 0 then
  is_finished = 1
  ttl_ms = finished_ttl_ms
  redis.call('ZREM', open, stream_id)
end
redis.call('PEXPIRE', log, ttl_ms)
redis.call('PEXPIRE', meta, ttl_ms)
if held ~= epoch then redis.call('PUBLISH', changed, n) end
return {n, is_finished}
`,
  reply: (reply: AppendReply): AppendVerdict => (typeof reply === 'string' ? reply : { n: reply[0], isFinished: reply[1] === 1 }),
});

/** The number of the entry, and whether it was the last one. */
type AppendReply = 'gone' | 'taken' | [n: number, isFinished: 0 | 1];
