/** Defines the scripts of the webhooks' outbox, and the part of an append that puts webhooks into it. */
import { script } from '@longhaul/redis';
import { MAX_ENDED_WEBHOOKS, MAX_LISTED_RECIPIENTS, MAX_PENDING_WEBHOOKS, WEBHOOK_TTL_MS } from '@longhaul/tasks/store';

/** Arguments of one webhook: endpoint, version, 1 for an end, record, message. */
export const ARGUMENTS_OF_WEBHOOK = 5;

/**
 * For scripts that have `webhooks` among their keys, and `webhook_recipients` if one script may touch both. `first` is the number of the
 * first argument; `gone_at` is when the task is gone for everybody, if it has ended.
 */
export const ADD_WEBHOOKS = `
local function add_webhooks(task_id, first, count, gone_at)
  local pending = tonumber(redis.call('HGET', webhooks, 'pending') or '0')
  for i = first, first + ${ARGUMENTS_OF_WEBHOOK} * (count - 1), ${ARGUMENTS_OF_WEBHOOK} do
    local of_recipient = ARGV[i] .. ':pending'
    if ARGV[i + 2] == '0' and tonumber(redis.call('HGET', webhooks, of_recipient) or '0') >= ${MAX_PENDING_WEBHOOKS} then
      redis.call('HINCRBY', webhooks, 'left-out', 1)
    else
      local field = ARGV[i] .. ':' .. ARGV[i + 1]
      redis.call('HINCRBY', webhooks, of_recipient, 1)
      pending = redis.call('HINCRBY', webhooks, 'pending', 1)
      redis.call('HSET', webhooks, field, ARGV[i + 3], field .. ':message', ARGV[i + 4])
      -- A recipient that waits for its next try keeps that date: its webhooks are sent in their order.
      if webhook_recipients then redis.call('ZADD', webhook_recipients, 'NX', now_ms(), task_id .. ' ' .. ARGV[i]) end
    end
  end
  redis.call('PEXPIRE', webhooks, ${WEBHOOK_TTL_MS})
  if webhook_recipients then redis.call('PEXPIRE', webhook_recipients, ${WEBHOOK_TTL_MS}) end
  if gone_at and pending == 0 then redis.call('PEXPIREAT', webhooks, string.format('%d', gone_at)) end
end
`;

/** One script, for the clock of Redis, and because an entry that is leased or dated must not be dated again. */
export const DATE_RECIPIENT = script({
  keys: ['pending'],
  texts: ['recipient'],
  numbers: ['inMs'],
  lua: `
redis.call('ZADD', pending, 'NX', now_ms() + in_ms, recipient)
redis.call('PEXPIRE', pending, ${WEBHOOK_TTL_MS})
`,
});

/**
 * Records how a webhook went on. One script, because only one of two processes that tried the same webhook may record it, and because
 * what is kept depends on what is left.
 */
export const RECORD_WEBHOOK = script({
  keys: ['webhooks', 'events'],
  texts: ['endpoint', 'version', 'before', 'after'],
  flags: ['ends'],
  lua: `
local prefix = endpoint .. ':'
local field = prefix .. version
if redis.call('HGET', webhooks, field) ~= before then return 0 end
redis.call('HSET', webhooks, field, after)
local pending = tonumber(redis.call('HGET', webhooks, 'pending') or '0')
if ends then
  redis.call('HDEL', webhooks, field .. ':message')
  redis.call('HINCRBY', webhooks, prefix .. 'pending', -1)
  pending = redis.call('HINCRBY', webhooks, 'pending', -1)
  local ended = {}
  for _, name in ipairs(redis.call('HKEYS', webhooks)) do
    local rest = string.sub(name, #prefix + 1)
    local is_record = string.sub(name, 1, #prefix) == prefix and string.find(rest, '^%d+$')
    if is_record and redis.call('HEXISTS', webhooks, name .. ':message') == 0 then table.insert(ended, tonumber(rest)) end
  end
  table.sort(ended)
  for i = 1, #ended - ${MAX_ENDED_WEBHOOKS} do redis.call('HDEL', webhooks, prefix .. string.format('%d', ended[i])) end
end
local ttl = redis.call('PTTL', events)
if pending > 0 or ttl == -1 then redis.call('PEXPIRE', webhooks, ${WEBHOOK_TTL_MS})
elseif ttl == -2 then redis.call('DEL', webhooks)
else redis.call('PEXPIRE', webhooks, ttl) end
return 1
`,
  reply: (isRecorded: number) => isRecorded === 1,
});

/**
 * Gives a recipient its next date, or ends it without one. One script, because another process may have taken the recipient, and an append
 * that found it leased has left its date to this. On a cluster the webhooks lie in another slot.
 */
export const SETTLE_RECIPIENT = script({
  keys: ['pending', 'failing', 'webhooks?'],
  texts: ['recipient', 'endpoint'],
  numbers: ['lease', 'inMs?'],
  lua: `
if tonumber(redis.call('ZSCORE', pending, recipient) or '0') ~= lease then return end
if not in_ms and webhooks then
  local prefix = endpoint .. ':'
  for _, name in ipairs(redis.call('HKEYS', webhooks)) do
    if string.sub(name, 1, #prefix) == prefix and string.sub(name, -8) == ':message' then in_ms = 0 end
  end
end
if in_ms then
  redis.call('ZADD', pending, now_ms() + in_ms, recipient)
else
  redis.call('ZREM', pending, recipient)
  redis.call('ZREM', failing, recipient)
end
`,
});

/** Notes in a list that something happened to a recipient, and drops what is too old or too much. One script, for the clock of Redis. */
export const NOTE_RECIPIENT = script({
  keys: ['list'],
  texts: ['recipient'],
  lua: `
redis.call('ZADD', list, now_ms(), recipient)
redis.call('ZREMRANGEBYSCORE', list, '-inf', now_ms() - ${WEBHOOK_TTL_MS})
redis.call('ZREMRANGEBYRANK', list, 0, -${MAX_LISTED_RECIPIENTS + 1})
redis.call('PEXPIRE', list, ${WEBHOOK_TTL_MS})
`,
});
