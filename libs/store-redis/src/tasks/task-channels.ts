/**
 * Hears of appends on a few channels, each of which has the appends of many tasks. A process that waits for one of these tasks gets the
 * messages of all of them, and stays on the channel for a minute after that: most requests find it subscribed, and need neither a
 * subscription nor a second look at their task.
 */
import type { TaskId, Unsubscribe } from '@longhaul/tasks';
import type { KnownTask } from '@longhaul/tasks/store';
import type { RedisSubscriptions } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';

/** How long a channel stays subscribed after the last listener has left. */
const STAY_MS = 60_000;
/** What was heard is remembered for so long at least: a request follows a task some milliseconds after it has read it. */
const REMEMBERED_MS = 1_000;

/** @param message `undefined` after a reconnect: there may have been messages, or none */
type Listener = (message: string | undefined) => void;

interface Shard {
  readonly channel: string;
  readonly ofTasks: Map<TaskId, Set<Listener>>;
  readonly ofAll: Set<Listener>;
  /** Settles when the channel is subscribed; absent while it is not. */
  joined: Promise<Unsubscribe> | undefined;
  /** Since when nothing was missed, by `performance.now()`. */
  heardSince: number;
  /** The latest versions that were heard of, and those of the time before. */
  recent: Map<TaskId, number>;
  before: Map<TaskId, number>;
  recentSince: number;
  /** Since when these are complete. */
  beforeSince: number;
  leftAt: number;
  stay: NodeJS.Timeout | undefined;
}

/** The channels of appends of one process. */
export class TaskChannels {
  readonly #shards = new Map<string, Shard>();

  constructor(
    private readonly subscriptions: Pick<RedisSubscriptions, 'add'>,
    private readonly keys: RedisKeys,
  ) {}

  /** Calls the listener with each append to the task. Resolves when none can be missed. */
  async add(taskId: TaskId, listener: Listener): Promise<Unsubscribe> {
    const shard = this.#shardAt(this.keys.changes(taskId));
    const known = shard.ofTasks.get(taskId);
    const listeners = known ?? new Set();
    if (known === undefined) shard.ofTasks.set(taskId, listeners);
    listeners.add(listener);
    return this.#joined(shard, () => {
      listeners.delete(listener);
      if (listeners.size === 0 && shard.ofTasks.get(taskId) === listeners) shard.ofTasks.delete(taskId);
    });
  }

  /** Calls the listener with each append to any task. */
  async addToAll(listener: Listener): Promise<Unsubscribe> {
    const leaving = this.keys.allChanges().map((channel) => {
      const shard = this.#shardAt(channel);
      shard.ofAll.add(listener);
      return this.#joined(shard, () => shard.ofAll.delete(listener));
    });
    const ends = await Promise.all(leaving);
    return () => ends.forEach((end) => end());
  }

  /** Whether a task that was read has certainly had no append since then. */
  isCurrent(taskId: TaskId, { version, readAt }: KnownTask): boolean {
    const shard = this.#shards.get(this.keys.changes(taskId));
    if (shard === undefined || readAt === undefined) return false;
    const { heardSince, recent, before, beforeSince } = shard;
    return readAt >= Math.max(heardSince, beforeSince) && (recent.get(taskId) ?? before.get(taskId) ?? 0) <= version;
  }

  async #joined(shard: Shard, remove: () => void): Promise<Unsubscribe> {
    const leave = (): void => {
      remove();
      this.#stayAwhile(shard);
    };
    try {
      await (shard.joined ??= this.#join(shard));
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }

  async #join(shard: Shard): Promise<Unsubscribe> {
    try {
      const leave = await this.subscriptions.add(shard.channel, (message) => hear(shard, message));
      forget(shard);
      return leave;
    } catch (error) {
      // The next listener tries again.
      shard.joined = undefined;
      throw error;
    }
  }

  #stayAwhile(shard: Shard): void {
    if (isUsed(shard)) return;
    shard.leftAt = performance.now();
    shard.stay ??= setTimeout(() => this.#leaveIfUnused(shard), STAY_MS).unref();
  }

  #leaveIfUnused(shard: Shard): void {
    shard.stay = undefined;
    if (isUsed(shard)) return;
    const leftMs = shard.leftAt + STAY_MS - performance.now();
    if (leftMs > 0) shard.stay = setTimeout(() => this.#leaveIfUnused(shard), leftMs).unref();
    else {
      this.#shards.delete(shard.channel);
      // What could not be subscribed has said so to its listener.
      void shard.joined?.then(
        (leave) => leave(),
        () => undefined,
      );
    }
  }

  #shardAt(channel: string): Shard {
    const known = this.#shards.get(channel);
    if (known !== undefined) return known;
    const nothing = { joined: undefined, stay: undefined, leftAt: 0, recent: new Map(), before: new Map() };
    const never = { heardSince: Number.POSITIVE_INFINITY, recentSince: 0, beforeSince: 0 };
    const shard: Shard = { channel, ofTasks: new Map(), ofAll: new Set(), ...nothing, ...never };
    this.#shards.set(channel, shard);
    return shard;
  }
}

function isUsed({ ofTasks, ofAll }: Shard): boolean {
  return ofTasks.size > 0 || ofAll.size > 0;
}

/** Passes a message on. Most are for nobody here, so that costs as little as possible. */
function hear(shard: Shard, message: string | undefined): void {
  if (message === undefined) {
    forget(shard);
    for (const listeners of [shard.ofAll, ...shard.ofTasks.values()]) call(listeners, undefined);
    return;
  }
  const idEnd = message.indexOf(' ');
  const taskId = message.slice(0, idEnd) as TaskId;
  remember(shard, taskId, Number.parseInt(message.slice(idEnd + 1, idEnd + 17), 10));
  const listeners = shard.ofTasks.get(taskId);
  if (listeners !== undefined) call(listeners, message);
  if (shard.ofAll.size > 0) call(shard.ofAll, message);
}

function call(listeners: ReadonlySet<Listener>, message: string | undefined): void {
  for (const listener of listeners) listener(message);
}

function remember(shard: Shard, taskId: TaskId, version: number): void {
  const now = performance.now();
  if (now - shard.recentSince >= REMEMBERED_MS) {
    shard.before = shard.recent;
    shard.beforeSince = shard.recentSince;
    shard.recent = new Map();
    shard.recentSince = now;
  }
  shard.recent.set(taskId, version);
}

/** From now on nothing is missed; nobody knows what was before. */
function forget(shard: Shard): void {
  const now = performance.now();
  shard.heardSince = now;
  shard.recentSince = now;
  shard.beforeSince = now;
  shard.recent = new Map();
  shard.before = new Map();
}
