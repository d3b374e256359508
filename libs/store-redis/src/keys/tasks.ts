/**
 * Names the keys and channels of tasks in Redis. The names are persisted, so they are frozen: a new meaning gets a new name. All keys of
 * one script share a hash tag (`{…}`), so that everything works on a Redis Cluster too. `<p>` is the prefix, `lh` unless configured.
 */
import { type AuditChain, isTaskId, remembered, type TaskId } from '@longhaul/tasks';
import { createHash } from 'node:crypto';

/** One queue for all tasks; part of BullMQ's key names, so frozen. */
export const QUEUE_NAME = 'tasks';

/** Prefix of every key when nothing else is configured. */
const DEFAULT_KEY_PREFIX = 'lh';

/** Entries of the agenda and rows of operators are spread over this many keys, so that no single key (or cluster node) takes all of them. */
const SHARDS = 8;

/** Changes are spread over more channels: a process that waits for one task hears of all tasks of its channel. */
const CHANNELS = 64;

/** Each task needs several names of its owner. */
const REMEMBERED_OWNERS = 1_000;

/** An owner is any text of the authorization server, and may be long or personal. */
const hashOfOwner = remembered(REMEMBERED_OWNERS, (owner) => createHash('sha256').update(owner).digest('hex').slice(0, 32));

/** See `RedisKeys.jobs`. */
export type JobKeys = Readonly<Record<'waiting' | 'active' | 'delayed' | 'stalled' | 'lastCheck' | 'marker' | 'jobPrefix', string>>;

/** See `RedisKeys.fairOrder`. */
export type FairOrderKeys = Readonly<Record<'jobs' | 'lanes' | 'last' | 'turn' | 'groups' | 'weights' | 'linePrefix', string>>;

/** See `RedisKeys.queuePauses`. */
export type QueuePauseKeys = Readonly<Record<'paused' | 'setAside' | 'asidePrefix', string>>;

/** Builds the names under one prefix. */
export class RedisKeys {
  constructor(readonly prefix: string = DEFAULT_KEY_PREFIX) {}

  /** Stream: the task's events, entry id `<version>-0`. No TTL until the task ends, then for as long as operators have it: see `retentionOf`. */
  events(taskId: TaskId): string {
    return `${this.prefix}:{${taskId}}:events`;
  }

  /** Stream: the events of a new task on their way to `events`, for the time of one script. No other command ever sees it. */
  eventsCopy(taskId: TaskId): string {
    return `${this.prefix}:{${taskId}}:events-copy`;
  }

  /** Stream: the events before the task was last continued as new, for operators. TTL `LONGHAUL_KEEP_CONTINUED_MS` from then. */
  eventsBefore(taskId: TaskId): string {
    return `${this.prefix}:{${taskId}}:events-before`;
  }

  /** Hash: the fold that readers need. No TTL until the task ends, then for as long as its client has it. */
  view(taskId: TaskId): string {
    return `${this.prefix}:{${taskId}}:view`;
  }

  /** String: an address for signals, under the digest of its token. TTL as long as it takes signals. */
  callback(digest: string): string {
    return `${this.prefix}:callback:{${digest}}`;
  }

  /** Hash: the same of an ended task that operators have for longer than its client. TTL as the events. */
  keptView(taskId: TaskId): string {
    return `${this.prefix}:{${taskId}}:kept-view`;
  }

  /** The task of the view with that name; nothing for any other name. */
  taskOfView(name: string): TaskId | undefined {
    const start = this.prefix.length + 2;
    const taskId = name.slice(start, name.indexOf('}', start));
    return isTaskId(taskId) && (this.view(taskId) === name || this.keptView(taskId) === name) ? taskId : undefined;
  }

  /**
   * Sorted set. TTL 8 days, renewed once in each minute in which tasks are registered, and at looks at running tasks.
   *
   * - from 0 up: the owner's task ids by creation time; of an address, the unfinished ones;
   * - below 0: `ended:` and the ids of ended tasks, by the time they expire, with a minus;
   * - below -10^15: `kept:` and the ids of tasks whose bytes count for longer, by 10^15 and the time until then, with a minus.
   */
  ownerTasks(owner: string): string {
    return `${this.ofOwner(owner)}:tasks`;
  }

  /**
   * Hash. TTL one minute; with sizes, 8 days from the last one noted, and as the owner's tasks.
   *
   * - `minute`: how many tasks the owner created in this minute; `minute_ends`: when it ends, by the clock of Redis;
   * - by task id: the size of the history of a large task, bytes, with `kept:` before the id if it counts for longer;
   * - `total`: the sum of these sizes.
   */
  ownerAccount(owner: string): string {
    return `${this.ofOwner(owner)}:account`;
  }

  /** String: the task of an idempotency key, `<taskId>:<fingerprint>`, with `:used` once the task exists. TTL until a day after the task is gone. */
  idempotencyKey(owner: string, key: string): string {
    return `${this.ofOwner(owner)}:key:${createHash('sha256').update(key).digest('hex')}`;
  }

  /** Sorted set: the unfinished tasks of the task's shard by when a worker must look at them. Permanent; gone while empty. */
  unfinished(taskId: TaskId): string {
    return `${this.prefix}:unfinished:${shardOf(taskId)}`;
  }

  /** The keys of all shards of unfinished tasks. Permanent; gone while empty. */
  allUnfinished(): readonly string[] {
    return Array.from({ length: SHARDS }, (_, shard) => `${this.prefix}:unfinished:${shard}`);
  }

  /**
   * Hash: the operators' rows of the tasks of a shard, by task id. Permanent; a row is removed when its task is gone. The other keys of the
   * scripts begin with this name and a colon; all are permanent and gone while empty:
   *
   * - `status:`, `tool:`, `owner:` (of a hash), `reason:`, `version:`, `cause:` and a value: sorted set of the ids of such tasks by creation time;
   * - `search:` and a digest of a searchable argument: the same;
   * - `gone`: sorted set of the ids of ended tasks by when they are gone;
   * - `failures`, `failed-hours`, `failed-at`: hashes of how many failed by cause, by cause and hour, and when the latest of them did;
   * - `retried`: hash of the task that a task was retried as; such a task is not among `failures`.
   */
  rows(taskId: TaskId): string {
    return this.#rows(shardOf(taskId));
  }

  /** The hashes of rows of all shards. */
  allRows(): readonly string[] {
    return Array.from({ length: SHARDS }, (_, shard) => this.#rows(shard));
  }

  /** Hash: which servers were walked for unfinished tasks, when, and the lease of the process that walks. TTL a day. */
  walked(): string {
    return `${this.prefix}:unfinished-walked`;
  }

  /** String: the version of all data under the prefix, `FORMATS.redis`. Permanent. */
  layout(): string {
    return `${this.prefix}:layout`;
  }

  /** Sorted set: ids of workers by the time of their last beat, 0 for one that left. TTL an hour from the last beat of any. */
  workersSeen(): string {
    return `${this.prefix}:{workers}:seen`;
  }

  /** Hash: each worker's description of itself, as JSON. TTL an hour from the last beat of any. */
  workersDetails(): string {
    return `${this.prefix}:{workers}:details`;
  }

  /** Hash: the record of each task that workers gave back, as JSON, by its id. Permanent; gone while empty. */
  parkedTasks(): string {
    return `${this.prefix}:{parked}:tasks`;
  }

  /** Sorted set, all scores 0: the same tasks by tool, asked versions and time, `<group>\n<since>\n<taskId>`. Permanent; gone while empty. */
  parkedOrder(): string {
    return `${this.prefix}:{parked}:order`;
  }

  /**
   * The beginning of the counters' keys, `<this>:<step>:<time>` and the same with `:tools`, for each length of a period, milliseconds, and each
   * time at which one began. Hashes of counts: of all tools together by name, and of each tool by `<tool>\n<name>`. TTL of the step in
   * `COUNTER_STEPS`.
   */
  counters(): string {
    return `${this.prefix}:{counters}`;
  }

  /** Channel: the group of a task that was given back. Channels hold nothing. */
  parked(): string {
    return `${this.prefix}:parked`;
  }

  /**
   * A chain of the audit log. Stream: its records, entry id `<number>-0`. Hash: number and hash of its head, and of the last record
   * that is no longer kept (`base…`). Permanent; as many records as `LONGHAUL_AUDIT_ENTRIES`.
   */
  auditChain(chain: AuditChain): { readonly records: string; readonly chain: string } {
    return { records: `${this.prefix}:{audit-${chain}}:records`, chain: `${this.prefix}:{audit-${chain}}:chain` };
  }

  /** Hash: the operators' settings of tenants, as JSON, by their names. Permanent; gone while empty. */
  tenantSettings(): string {
    return `${this.prefix}:{tenants}:settings`;
  }

  /** String: the number of the last change of these settings. Permanent. */
  tenantChange(): string {
    return `${this.prefix}:{tenants}:change`;
  }

  /** Channel: the settings have changed. Channels hold nothing. */
  tenantsChanged(): string {
    return `${this.prefix}:tenants-changed`;
  }

  /**
   * Channel: each append to the tasks of a shard: see `changeText`. After a line break follow view and outcome of a task that has ended, if
   * they are short. Channels hold nothing.
   */
  changes(taskId: TaskId): string {
    return `${this.prefix}:changes:${shardOf(taskId, CHANNELS)}`;
  }

  /** The channels of all shards. Channels hold nothing. */
  allChanges(): readonly string[] {
    return Array.from({ length: CHANNELS }, (_, shard) => `${this.prefix}:changes:${shard}`);
  }

  /** Channel: ids of the session's tasks that changed in a way that its client can see. Channels hold nothing. */
  sessionChanged(sessionId: string): string {
    return `${this.prefix}:session:{${sessionId}}:changed`;
  }

  /** Hash: up to which version each kind of notification was delivered to the client. TTL 8 days from the last delivery. */
  delivered(taskId: TaskId): string {
    return `${this.prefix}:{${taskId}}:delivered`;
  }

  /** Channel: ids of tasks that something other than their own pass ended. Channels hold nothing. */
  interrupted(): string {
    return `${this.prefix}:interrupted`;
  }

  /**
   * Prefix of BullMQ's own keys (`{<p>}:tasks:…`). Permanent, but the entries of jobs are removed with the jobs. The hash tag keeps the
   * queue in one cluster slot, which BullMQ's scripts need.
   */
  queuePrefix(): string {
    return `{${this.prefix}}`;
  }

  /**
   * The keys of BullMQ that our scripts touch.
   *
   * - `waiting`, `active`: lists of job ids, taken from the right; `delayed`: sorted set of job ids by when they are due;
   * - `stalled`: set of the ids of jobs with locks that are checked next; `lastCheck`: string with the time of the last check;
   * - `marker`: sorted set; its member `0` wakes workers;
   * - `jobPrefix` and an id: hash of a job; with `:lock` after it: string with the token of the worker that has the job.
   */
  jobs(): JobKeys {
    const prefix = `${this.queuePrefix()}:${QUEUE_NAME}:`;
    return {
      waiting: `${prefix}wait`,
      active: `${prefix}active`,
      delayed: `${prefix}delayed`,
      stalled: `${prefix}stalled`,
      lastCheck: `${prefix}stalled-check`,
      marker: `${prefix}marker`,
      jobPrefix: prefix,
    };
  }

  /**
   * The keys that keep the order of waiting jobs fair, in the slot of the queue. Permanent; gone while no job stands in line.
   *
   * - `jobs`: set of the ids of jobs that stand in line;
   * - `lanes`: sorted set of lanes by their next turn;
   * - `last`: the id of the job that was put back, or left in front, last;
   * - `turn`: the turn that was taken last;
   * - `groups`: hash of how many lanes of each group stand in line;
   * - `weights`: hash of the weights of groups with a weight of their own; it stays, and is written again once a minute;
   * - `linePrefix` and a lane, with `:high` and `:low` for jobs that come before and after the others: list of the same ids, in their
   *   order.
   */
  fairOrder(): FairOrderKeys {
    const prefix = `${this.queuePrefix()}:fair`;
    return {
      jobs: `${prefix}:jobs`,
      lanes: `${prefix}:lanes`,
      last: `${prefix}:last`,
      turn: `${prefix}:turn`,
      groups: `${prefix}:groups`,
      weights: `${prefix}:weights`,
      linePrefix: `${prefix}:line:`,
    };
  }

  /**
   * The pauses of operators, in the slot of the queue. Permanent; gone while nothing is paused, or was set aside.
   *
   * - `paused`: set of the names of pauses;
   * - `setAside`: set of the names of pauses for which jobs are set aside;
   * - `asidePrefix` and a name: list of the ids of such jobs, in their order.
   */
  queuePauses(): QueuePauseKeys {
    const prefix = `${this.queuePrefix()}:paused`;
    return { paused: prefix, setAside: `${prefix}:aside`, asidePrefix: `${prefix}:aside:` };
  }

  /**
   * The keys that limit how many jobs may run at once, in the slot of the queue. Permanent; gone while nothing is limited.
   *
   * - `held`: set of the limits for which jobs are held back: `lane:` and a group, `tool:`, `shared:` or `key:` and a name, `rate:` and a key;
   * - `runningPrefix` and a limit: set of the ids of jobs that count for it, for eight days after the latest one;
   * - `startedPrefix` and a limit: sorted set of the ids of jobs that have begun, by when, for the window of the limit;
   * - `heldPrefix` and a limit: sorted set of the ids of jobs that are held back, by the order in which they may run.
   */
  runningLimits(): Readonly<Record<'held' | 'runningPrefix' | 'startedPrefix' | 'heldPrefix', string>> {
    const prefix = `${this.queuePrefix()}:limits`;
    return {
      held: `${prefix}:held`,
      runningPrefix: `${prefix}:running:`,
      startedPrefix: `${prefix}:started:`,
      heldPrefix: `${prefix}:held:`,
    };
  }

  /** Hash: the data keys that payloads are encrypted with, by their ids; each wrapped by a key of the ring. Permanent. */
  dataKeys(): string {
    return `${this.prefix}:data-keys`;
  }

  /** Channel: something was paused or resumed. Channels hold nothing. */
  pausesChanged(): string {
    return `${this.prefix}:paused-changed`;
  }

  /** The beginning of the keys of an owner. */
  ofOwner(owner: string): string {
    return `${this.prefix}:{owner:${hashOfOwner(owner)}}`;
  }

  #rows(shard: number): string {
    return `${this.prefix}:{rows:${shard}}`;
  }
}

/** The first digits of a UUID v4 are random. */
function shardOf(taskId: TaskId, shards = SHARDS): number {
  return Number.parseInt(taskId.slice(0, 4), 16) % shards;
}
