/**
 * The append. One script, because the check of version and epoch, the events, the view, the expiry
 * and the wake-up have to be one step for every other client: a reader never sees a view that its
 * events do not lead to, and of two writers that expect the same version exactly one writes.
 *
 * Expiry is set by the clock of Redis, which is the same for all: what the writers' clocks say of creation and
 * end is for readers only. `created` is when the first append came, by that clock.
 *
 * The `append` field holds the id of the latest append. A client whose connection broke before the
 * reply sends the script again; the id tells that repetition from a lost race.
 */
import type { RedisClient } from '../redis-connection.js';
import type { Retention } from '../../projections/task-view.js';
import type { AppendResult } from '../event-store.js';
import { FITS_WHEN_FULL, REFUSED_WHEN_FULL } from './when-full.js';

const APPEND = `
local events, view, events_copy = KEYS[1], KEYS[2], KEYS[3]
local expected, epoch, epoch_after, view_json, outcome_json, from_creation_ms, from_end_ms, append_id, changed, interrupted, session, task_id =
  ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10], ARGV[11], ARGV[12]
local first_event = 13

local held = redis.call('HMGET', view, 'version', 'epoch', 'append', 'created')
local version = held[1] or '0'
if version ~= expected then
  if held[3] == append_id then return 'appended' end
end
if epoch ~= '' and tonumber(held[2] or '0') > tonumber(epoch) then return 'fenced' end
if version ~= expected then return 'conflict' end

local next_version = tonumber(version)
for i = first_event, #ARGV, 3 do
  next_version = next_version + 1
  -- The explicit id is the second guard: it cannot be written where the stream is further than the view.
  local added = redis.pcall('XADD', events, string.format('%d-0', next_version), 'type', ARGV[i], 'data', ARGV[i + 1], 'meta', ARGV[i + 2])
  if type(added) == 'table' and added.err then
    if i == first_event and string.find(added.err, 'equal or smaller', 1, true) then return 'conflict' end
    return added
  end
end

local now = 0
if version == '0' or from_end_ms ~= '' then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

if version == '0' then
  -- Redis gives a new stream 4 KiB of room, which few tasks need. A copy has no such room, and grows as it must.
  redis.call('COPY', events, events_copy)
  redis.call('RENAME', events_copy, events)
  redis.call('HSET', view, 'created', string.format('%d', now))
end

local new_version = string.format('%d', next_version)
if outcome_json == '' then
  redis.call('HSET', view, 'version', new_version, 'epoch', epoch_after, 'append', append_id, 'view', view_json)
else
  redis.call('HSET', view, 'version', new_version, 'epoch', epoch_after, 'append', append_id, 'view', view_json, 'outcome', outcome_json)
end
if from_end_ms ~= '' then
  local created = tonumber(held[4] or now)
  local expires_at = string.format('%d', math.max(created + tonumber(from_creation_ms), now + tonumber(from_end_ms)))
  redis.call('PEXPIREAT', events, expires_at)
  redis.call('PEXPIREAT', view, expires_at)
end
redis.call('PUBLISH', changed, new_version)
if interrupted ~= '' then redis.call('PUBLISH', interrupted, task_id) end
if session ~= '' then redis.call('PUBLISH', session, task_id) end
return 'appended'
`;

/** An event as it is stored: its type, its data and its `meta`, the latter two as JSON. */
export interface StoredEvent {
  readonly type: string;
  readonly data: string;
  readonly meta: string;
}

/** The arguments of the script by name; what is absent is not written. */
export interface AppendArguments {
  readonly eventsKey: string;
  readonly viewKey: string;
  /** Exists only while the script runs. */
  readonly eventsCopyKey: string;
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
  redis.defineCommand('longhaulAppend', { numberOfKeys: 3, lua: FITS_WHEN_FULL + APPEND });
  redis.defineCommand('longhaulAppendIfRoom', { numberOfKeys: 3, lua: REFUSED_WHEN_FULL + APPEND });
  const client = redis as RedisClient & WithAppend;
  return (args, mustFit) =>
    client[mustFit ? 'longhaulAppend' : 'longhaulAppendIfRoom'](
      args.eventsKey,
      args.viewKey,
      args.eventsCopyKey,
      args.expectedVersion,
      args.epoch ?? '',
      args.epochAfter,
      args.view,
      args.outcome ?? '',
      args.retention?.fromCreationMs ?? '',
      args.retention?.fromEndMs ?? '',
      args.appendId,
      args.changedChannel,
      args.interruptedChannel ?? '',
      args.sessionChannel ?? '',
      args.taskId,
      ...args.events.flatMap(({ type, data, meta }) => [type, data, meta]),
    );
}
