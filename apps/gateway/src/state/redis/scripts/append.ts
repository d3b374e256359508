import { REFUSED_WHEN_FULL } from '@longhaul/tasks';

/**
 * One script, because the check of the epoch and the entry must be one step for a stream that was taken
 * over to get no question and no answer twice, and neither key may be left without TTL. Whoever appends
 * in another one's place has that one told. Without memory it is refused: a message goes out without its copy in the log.
 */
export const APPEND = `${REFUSED_WHEN_FULL}
local meta, log, open = KEYS[1], KEYS[2], KEYS[3]
local stream_id, epoch, is_exclusive, is_answer, json, max_entries, ttl_ms, finished_ttl_ms, changed =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9]

local held = redis.call('HGET', meta, 'epoch')
if not held then return 'gone' end
if held ~= epoch and is_exclusive == '1' then return 'taken' end

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local n = redis.call('HINCRBY', meta, 'last', 1)
redis.call('XADD', log, 'MAXLEN', '~', max_entries, string.format('%d-0', n), 'json', json, 'at', string.format('%d', now))
local is_finished = 0
if is_answer == '1' and redis.call('HINCRBY', meta, 'due', -1) <= 0 then
  is_finished = 1
  ttl_ms = finished_ttl_ms
  redis.call('ZREM', open, stream_id)
end
redis.call('PEXPIRE', log, ttl_ms)
redis.call('PEXPIRE', meta, ttl_ms)
if held ~= epoch then redis.call('PUBLISH', changed, n) end
return {n, is_finished}
`;
