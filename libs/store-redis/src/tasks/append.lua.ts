/**
 * Appends events. It is one script, because the check of version and epoch, the events, the view, the expiry and the wake-up must be one
 * step for every other client. A reader never sees a view that its events do not lead to. Of two writers that expect the same version,
 * exactly one writes.
 *
 * Expiry is set by the clock of Redis, which is the same for all: the times of creation and end by the writers' clocks are for readers
 * only. `began` is when the task was created or last continued as new, by that clock.
 *
 * On one server the append also brings the task's date in the agenda forward and writes the operators' row. On a cluster these keys lie in
 * different slots: the date is written before the append, and the row after it.
 *
 * The `append` field holds the id of the latest append. If the connection breaks before the reply, the client sends the script again; the
 * id distinguishes that repetition from a lost race.
 */
import type { AppendResult } from '@longhaul/tasks';
import { script } from '@longhaul/redis';
import { WRITE_ROW } from './operator-rows.lua.js';
import { DATE_TASK } from './task-agenda.lua.js';
import { type Refused, REGISTERING, RETIRING } from './task-index.lua.js';
import { ADD_WEBHOOKS, ARGUMENTS_OF_WEBHOOK } from './webhook-outbox.lua.js';

const CHECK = `
${DATE_TASK}${WRITE_ROW}
local held = redis.call('HMGET', view, 'version', 'epoch', 'append', 'bytes', 'began')
local version = tonumber(held[1] or '0')
if version ~= expected_version then
  if held[3] == append_id then return 'appended' end
end
if epoch and tonumber(held[2] or '0') > epoch then return 'fenced' end
if version ~= expected_version then return 'conflict' end

local bytes = tonumber(held[4] or '0')
for i = first_event, #ARGV do bytes = bytes + #ARGV[i] end
if max_bytes and bytes > max_bytes then return 'too-large' end
`;

/** Adds the event whose arguments begin at `i`. The explicit id is the second guard: it cannot be written where the stream is further than the view. */
const ADD_EVENT = (version: string) => `
  local added = redis.pcall('XADD', events, string.format('%d-0', ${version}), 'type', ARGV[i], 'data', ARGV[i + 1], 'meta', ARGV[i + 2])
  if type(added) == 'table' and added.err then
    if i == first_event and string.find(added.err, 'equal or smaller', 1, true) then return 'conflict' end
    return added
  end
`;

/** Redis gives a new stream 4 KiB of room, which few tasks need. A copy has no such room, and grows as it must. */
const GIVE_BACK_ROOM = `
redis.call('COPY', events, events_copy)
redis.call('RENAME', events_copy, events)
`;

const WRITE = `
local next_version = version
local begins = version == 0
for i = first_event, #ARGV, 3 do
  next_version = next_version + 1
  -- What continues a task as new begins a stream of its own, which nobody has to read with all that was before.
  if ARGV[i] == 'TaskContinued' then
    if keep_ms == '0' then
      redis.call('DEL', events)
    else
      redis.call('RENAME', events, events_before)
      redis.call('PEXPIRE', events_before, keep_ms)
    end
    bytes = #ARGV[i] + #ARGV[i + 1] + #ARGV[i + 2]
    begins = true
  end
  ${ADD_EVENT('next_version')}
end
if version == 0 then
  ${GIVE_BACK_ROOM}
end

if look_in_ms then
  local at = now_ms() + look_in_ms
  if version == 0 then redis.call('ZADD', agenda_shard, at, task_id) else date_task(agenda_shard, task_id, at) end
end

local new_version = string.format('%d', next_version)
local fields = {'version', new_version, 'epoch', epoch_after, 'append', append_id, 'bytes', string.format('%d', bytes), 'view', view_json}
local began = tonumber(held[5] or now_ms())
if begins then
  began = now_ms()
  table.insert(fields, 'began')
  table.insert(fields, string.format('%d', began))
end
if outcome_json ~= '' then
  table.insert(fields, 'outcome')
  table.insert(fields, outcome_json)
end
redis.call('HSET', view, unpack(fields))
local gone_at
if from_end_ms then
  local expires_at = math.max(began + from_begin_ms, now_ms() + from_end_ms)
  gone_at = expires_at
  redis.call('PEXPIREAT', view, string.format('%d', expires_at))
  -- For its client the task is gone with its view; operators have a copy.
  if now_ms() + operators_ms > expires_at then
    gone_at = now_ms() + operators_ms
    redis.call('COPY', view, kept_view, 'REPLACE')
    redis.call('PEXPIREAT', kept_view, string.format('%d', gone_at))
  end
  redis.call('PEXPIREAT', events, string.format('%d', gone_at))
end
if row_json ~= '' then write_row(rows, task_id, row_json, gone_at) end
-- Who waits for the end need not read it. It is short: most processes that get it wait for other tasks.
if outcome_json ~= '' and #outcome_json + #view_json <= 8192 then
  change = change .. '\\n{"view":' .. view_json .. ',"outcome":' .. outcome_json .. '}'
end
redis.call('PUBLISH', changes, change)
if interrupted ~= '' then redis.call('PUBLISH', interrupted, task_id) end
if session ~= '' then redis.call('PUBLISH', session, task_id) end
`;

const APPENDED = `
return 'appended'
`;

const APPEND = {
  keys: ['events', 'view', 'keptView', 'eventsCopy', 'eventsBefore', 'agendaShard?', 'rows?'],
  // A number that Lua does not compute with is a text: Redis takes long to read it, and longer to write it.
  texts: [
    'taskId',
    'appendId',
    'viewJson',
    'outcomeJson?',
    'changes',
    'change',
    'interrupted?',
    'session?',
    'rowJson?',
    'epochAfter',
    'keepMs',
  ],
  numbers: ['expectedVersion', 'epoch?', 'fromBeginMs?', 'fromEndMs?', 'operatorsMs?', 'maxBytes?', 'lookInMs?'],
  // In turn the type, the data and the meta of an event.
  rest: 'firstEvent',
  lua: CHECK + WRITE + APPENDED,
  reply: (result: AppendResult) => result,
} as const;

const ALL_KEYS = ['events', 'view', 'keptView', 'eventsCopy', 'eventsBefore', 'agendaShard', 'rows'] as const;

/**
 * Counts a task under its accounts, and creates its stream, both or neither; used if one script may touch the keys of both. Each task pays
 * for this script, so it has what a new task needs, and nothing else: the task has not ended. Before its events stand the limits of its
 * accounts and the sets of its row.
 */
export const CREATE = script({
  keys: ['events', 'view', 'eventsCopy', 'agendaShard', 'rows'],
  sets: REGISTERING.sets,
  texts: ['taskId', 'appendId', 'viewJson', 'changes', 'change', 'session?', 'rowJson', 'createdAt', 'epochAfter'],
  numbers: ['lookInMs?', 'rowSets', ...REGISTERING.numbers],
  rest: 'firstLimit',
  whenFull: 'refused',
  lua: `
${REGISTERING.lua}
local held = redis.call('HMGET', view, 'version', 'append')
if held[1] then return held[2] == append_id and 'appended' or 'conflict' end
local refusal = register(first_limit)
if refusal then return refusal end

local first_set = first_limit + ${REGISTERING.argumentsOfEach} * sets
local first_event = first_set + row_sets
local version, bytes = 0, 0
for i = first_event, #ARGV, 3 do
  version = version + 1
  bytes = bytes + #ARGV[i] + #ARGV[i + 1] + #ARGV[i + 2]
  ${ADD_EVENT('version')}
end
${GIVE_BACK_ROOM}
if look_in_ms then redis.call('ZADD', agenda_shard, string.format('%d', now_ms() + look_in_ms), task_id) end
redis.call(
  'HSET', view, 'version', string.format('%d', version), 'epoch', epoch_after, 'append', append_id, 'bytes', string.format('%d', bytes),
  'view', view_json, 'began', string.format('%d', now_ms())
)
for i = first_set, first_event - 1 do redis.call('ZADD', ARGV[i], created_at, task_id) end
redis.call('HSET', rows, task_id, row_json)
redis.call('PUBLISH', changes, change)
if session ~= '' then redis.call('PUBLISH', session, task_id) end
return 'appended'
`,
  reply: (result: AppendResult | Refused) => result,
});

/** Appends the end of a task, and retires it; used if one script may touch the keys of both. */
export const APPEND_END = script({
  ...APPEND,
  keys: ALL_KEYS,
  sets: RETIRING.sets,
  numbers: [...APPEND.numbers, ...RETIRING.numbers],
  lua: `
${RETIRING.lua}
local first_flag = first_event
first_event = first_event + ${RETIRING.argumentsOfEach} * sets
${CHECK}${WRITE}
retire(first_flag)
${APPENDED}`,
});

/**
 * The webhooks of an append stand before its events. Other appends have neither these keys nor these arguments. On a cluster the recipients
 * lie in another slot: they are dated before the append and after it.
 */
const WITH_WEBHOOKS = {
  keys: ['events', 'view', 'keptView', 'eventsCopy', 'eventsBefore', 'webhooks', 'agendaShard?', 'rows?', 'webhookRecipients?'],
  numbers: [...APPEND.numbers, 'webhookCount'],
} as const;

const BEFORE_WEBHOOKS = `
${ADD_WEBHOOKS}
local first_webhook = first_event
first_event = first_event + ${ARGUMENTS_OF_WEBHOOK} * webhook_count
`;

const AFTER_WEBHOOKS = `
add_webhooks(task_id, first_webhook, webhook_count, gone_at)
`;

/** The same as the appends above, with webhooks. */
export const APPEND_END_WITH_WEBHOOKS = script({
  ...APPEND,
  keys: ['events', 'view', 'keptView', 'eventsCopy', 'eventsBefore', 'webhooks', 'agendaShard', 'rows', 'webhookRecipients'],
  sets: RETIRING.sets,
  numbers: [...APPEND.numbers, ...RETIRING.numbers, 'webhookCount'],
  lua: `
${RETIRING.lua}
local first_flag = first_event
first_event = first_event + ${RETIRING.argumentsOfEach} * sets
${BEFORE_WEBHOOKS}${CHECK}${WRITE}
retire(first_flag)
${AFTER_WEBHOOKS}${APPENDED}`,
});
/** For events that must be written. */
export const APPEND_ALWAYS_WITH_WEBHOOKS = script({
  ...APPEND,
  ...WITH_WEBHOOKS,
  lua: BEFORE_WEBHOOKS + CHECK + WRITE + AFTER_WEBHOOKS + APPENDED,
});
/** For events that can wait for room. */
export const APPEND_IF_ROOM_WITH_WEBHOOKS = script({
  ...APPEND,
  ...WITH_WEBHOOKS,
  whenFull: 'refused',
  lua: BEFORE_WEBHOOKS + CHECK + WRITE + AFTER_WEBHOOKS + APPENDED,
});

/** For events that must be written: they are appended even when Redis is out of memory. */
export const APPEND_ALWAYS = script(APPEND);
/** For events that can wait for room. */
export const APPEND_IF_ROOM = script({ ...APPEND, whenFull: 'refused' });
