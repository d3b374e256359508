/**
 * The append. One script, because the check of version and epoch, the events, the view, the expiry
 * and the wake-up have to be one step for every other client: a reader never sees a view that its
 * events do not lead to, and of two writers that expect the same version exactly one writes.
 *
 * Expiry is set by the clock of Redis, which is the same for all: what the writers' clocks say of creation and
 * end is for readers only. `began` is when the task was created or last continued as new, by that clock.
 *
 * On one server the task's date in the agenda is brought forward with the append; on a cluster, whose keys lie in
 * different slots, before it.
 *
 * The `append` field holds the id of the latest append. A client whose connection broke before the
 * reply sends the script again; the id tells that repetition from a lost race.
 */
import type { RedisClient } from '../redis-connection.js';
import type { Retention } from '../../projections/task-view.js';
import type { AppendResult } from '../event-store.js';
import type { StoredEvent } from '../stored-event.js';
import { DATE_TASK } from './task-agenda.js';
import { FITS_WHEN_FULL, REFUSED_WHEN_FULL } from './when-full.js';

const APPEND = `
local events, view, events_copy, events_before, agenda_shard = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local expected, epoch, epoch_after, view_json, outcome_json, from_begin_ms, from_end_ms, append_id, changed, interrupted, session, task_id, max_bytes, keep_ms, look_in_ms =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10], ARGV[11], ARGV[12], ARGV[13], ARGV[14], ARGV[15]
local first_event = 16

local held = redis.call('HMGET', view, 'version', 'epoch', 'append', 'bytes', 'began')
local version = held[1] or '0'
if version ~= expected then
  if held[3] == append_id then return 'appended' end
end
if epoch ~= '' and tonumber(held[2] or '0') > tonumber(epoch) then return 'fenced' end
if version ~= expected then return 'conflict' end

local bytes = tonumber(held[4] or '0')
for i = first_event, #ARGV do bytes = bytes + #ARGV[i] end
if max_bytes ~= '' and bytes > tonumber(max_bytes) then return 'too-large' end

local next_version = tonumber(version)
local begins = version == '0'
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
  -- The explicit id is the second guard: it cannot be written where the stream is further than the view.
  local added = redis.pcall('XADD', events, string.format('%d-0', next_version), 'type', ARGV[i], 'data', ARGV[i + 1], 'meta', ARGV[i + 2])
  if type(added) == 'table' and added.err then
    if i == first_event and string.find(added.err, 'equal or smaller', 1, true) then return 'conflict' end
    return added
  end
end

-- Redis gives a new stream 4 KiB of room, which few tasks need. A copy has no such room, and grows as it must.
if version == '0' then
  redis.call('COPY', events, events_copy)
  redis.call('RENAME', events_copy, events)
end

local now = 0
if begins or from_end_ms ~= '' or agenda_shard then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
if agenda_shard then date_task(agenda_shard, task_id, now + tonumber(look_in_ms)) end

local new_version = string.format('%d', next_version)
local fields = {'version', new_version, 'epoch', epoch_after, 'append', append_id, 'bytes', bytes, 'view', view_json}
local began = tonumber(held[5] or now)
if begins then
  began = now
  table.insert(fields, 'began')
  table.insert(fields, string.format('%d', now))
end
if outcome_json ~= '' then
  table.insert(fields, 'outcome')
  table.insert(fields, outcome_json)
end
redis.call('HSET', view, unpack(fields))
if from_end_ms ~= '' then
  local expires_at = string.format('%d', math.max(began + tonumber(from_begin_ms), now + tonumber(from_end_ms)))
  redis.call('PEXPIREAT', events, expires_at)
  redis.call('PEXPIREAT', view, expires_at)
end
redis.call('PUBLISH', changed, new_version)
if interrupted ~= '' then redis.call('PUBLISH', interrupted, task_id) end
if session ~= '' then redis.call('PUBLISH', session, task_id) end
return 'appended'
`;

/** The arguments of the script by name; what is absent is not written. */
export interface AppendArguments {
  readonly eventsKey: string;
  readonly viewKey: string;
  /** Exists only while the script runs. */
  readonly eventsCopyKey: string;
  readonly eventsBeforeKey: string;
  /** Where the task's date is brought forward, and to when. */
  readonly look: { readonly shardKey: string; readonly inMs: number } | undefined;
  readonly taskId: string;
  readonly expectedVersion: number;
  readonly epoch: number | undefined;
  readonly epochAfter: number;
  readonly view: string;
  readonly outcome: string | undefined;
  /** Of a task that ends with this append. */
  readonly retention: Retention | undefined;
  /** Unique for each append, the same for each repetition of it. */
  readonly appendId: string;
  readonly changedChannel: string;
  readonly interruptedChannel: string | undefined;
  readonly sessionChannel: string | undefined;
  /** The history may not take more than this afterwards, bytes. */
  readonly maxBytes: number | undefined;
  readonly keepContinuedMs: number;
  readonly events: readonly StoredEvent[];
}

type RunAppend = (...args: (string | number)[]) => Promise<AppendResult>;

interface WithAppend {
  readonly longhaulAppend: RunAppend;
  readonly longhaulAppendIfRoom: RunAppend;
}

/** The only caller of the script. With `mustFit` it is run also when Redis is out of memory. */
export type Append = (args: AppendArguments, mustFit: boolean) => Promise<AppendResult>;

/** Defines the script on the client, in two forms. */
export function defineAppend(redis: RedisClient): Append {
  redis.defineCommand('longhaulAppend', { lua: FITS_WHEN_FULL + DATE_TASK + APPEND });
  redis.defineCommand('longhaulAppendIfRoom', { lua: REFUSED_WHEN_FULL + DATE_TASK + APPEND });
  const client = redis as RedisClient & WithAppend;
  return (args, mustFit) => {
    const keys = [args.eventsKey, args.viewKey, args.eventsCopyKey, args.eventsBeforeKey];
    if (args.look !== undefined) keys.push(args.look.shardKey);
    return client[mustFit ? 'longhaulAppend' : 'longhaulAppendIfRoom'](
      keys.length,
      ...keys,
      args.expectedVersion,
      args.epoch ?? '',
      args.epochAfter,
      args.view,
      args.outcome ?? '',
      args.retention?.fromBeginMs ?? '',
      args.retention?.fromEndMs ?? '',
      args.appendId,
      args.changedChannel,
      args.interruptedChannel ?? '',
      args.sessionChannel ?? '',
      args.taskId,
      args.maxBytes ?? '',
      args.keepContinuedMs,
      args.look?.inMs ?? '',
      ...args.events.flatMap(({ type, data, meta }) => [type, data, meta]),
    );
  };
}
