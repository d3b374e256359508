/**
 * Knows how much room Redis has. `INFO` is read about once a second. In between, admitted writes count against the room of the last
 * reading, until a later reading includes them. Other processes admit too: so a reading is valid for a share of its room only, and near a
 * mark each write waits for a new reading. On a cluster the fullest master counts, because any task may lie on it.
 *
 * There is no lock: many processes together may exceed a mark by a little. The rest up to `maxmemory` is reserved for that, for ends,
 * answers and cancellations, and for the queue.
 */
import { SPARE_SHARE, type WriteKind } from '@longhaul/tasks/store';
import { type StoreCapacity, TaskError } from '@longhaul/tasks';
import { DEFAULT_WATERMARK, type MemoryUse, memoryUse } from '@longhaul/redis';

const READ_EVERY_MS = 1_000;
/** A reading this young is not repeated, no matter how much of it is used up. */
const MIN_AGE_MS = 20;
/** The share of a reading's room that one process may use up. */
const SHARE_OF_ROOM = 1 / 8;
/** A string is in the connection's buffer, in the script's arguments and in its key at the same time; allocations are rounded up. */
const COPIES = 3;
/** The bytes of a write in addition to its JSON: keys, a view, entries of lists, maybe a job. */
const OVERHEAD_BYTES = 4_096;
/**
 * Redis counts as full with less room than the first share of `maxmemory`, and as not full with more than the second. In between the state
 * does not change.
 */
const FULL_BELOW = 0.01;
const ROOM_ABOVE = 0.03;
const REPORT_EVERY_MS = 60_000;

/** Its dependencies. */
export interface RedisCapacityDeps {
  /** Reads the replies of `INFO memory`, one for each master that answers. */
  readonly read: () => Promise<readonly string[]>;
  /** The share of `maxmemory` above which creations are refused. @defaultValue `DEFAULT_WATERMARK` */
  readonly watermark?: number | undefined;
  /** Receives a `STORE_FULL` once a minute while Redis is full. */
  readonly onFull: (error: TaskError) => void;
  /** Milliseconds that only go forward. @defaultValue `performance.now` */
  readonly now?: () => number;
}

/** `StoreCapacity` of Redis. */
export class RedisCapacity implements StoreCapacity {
  readonly #now: () => number;
  readonly #marks: Readonly<Record<Exclude<WriteKind, 'end'>, number>>;
  /** The latest reading; nothing without a `maxmemory`. */
  #use: MemoryUse | undefined;
  #readAt = 0;
  #reading: Promise<void> | undefined;
  /** The admitted bytes that no reading includes yet, and how many of them were written. */
  #taken = 0;
  #written = 0;
  #isFull = false;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly deps: RedisCapacityDeps) {
    const { watermark = DEFAULT_WATERMARK, now = () => performance.now() } = deps;
    this.#now = now;
    this.#marks = { creation: watermark, record: (1 + watermark) / 2 };
  }

  /** Resolves after the first reading. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#look(), READ_EVERY_MS).unref();
    await this.#look();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async admit<T>(kind: WriteKind, bytes: number, write: () => Promise<T>): Promise<T> {
    if (this.#use === undefined) return write();
    const cost = COPIES * bytes + OVERHEAD_BYTES;
    if (kind !== 'end') await this.#requireRoomFor(kind, cost);
    this.#taken += cost;
    try {
      return await write();
    } finally {
      this.#written += cost;
    }
  }

  requireRoom(): void {
    if (this.#isFull) throw this.#full();
  }

  hasRoomToSpare(): boolean {
    const { usedBytes = 0, maxBytes = Number.POSITIVE_INFINITY } = this.#use ?? {};
    return usedBytes + this.#taken <= maxBytes * this.#marks.creation * SPARE_SHARE;
  }

  async #requireRoomFor(kind: Exclude<WriteKind, 'end'>, cost: number): Promise<void> {
    const room = this.#room(kind);
    const isUsedUp = this.#taken + cost > room * SHARE_OF_ROOM;
    if (room > 0 && isUsedUp && this.#now() - this.#readAt > MIN_AGE_MS) await this.#look();
    if (this.#taken + cost > this.#room(kind)) throw this.#full();
  }

  /** The result of the latest reading, bytes. */
  #room(kind: Exclude<WriteKind, 'end'>): number {
    return this.#use === undefined ? Number.POSITIVE_INFINITY : this.#use.maxBytes * this.#marks[kind] - this.#use.usedBytes;
  }

  #look(): Promise<void> {
    return (this.#reading ??= this.#read().finally(() => (this.#reading = undefined)));
  }

  async #read(): Promise<void> {
    const written = this.#written;
    // While Redis is away, other commands report it.
    const replies = await this.deps.read().catch(() => undefined);
    if (replies === undefined) return;
    const uses = replies.map(memoryUse).filter((use) => use !== undefined);
    this.#use = uses.toSorted((left, right) => right.usedBytes / right.maxBytes - left.usedBytes / left.maxBytes)[0];
    this.#readAt = this.#now();
    this.#written -= written;
    this.#taken -= written;
    this.#judge();
  }

  #judge(): void {
    const share = this.#use === undefined ? 1 : this.#room('creation') / this.#use.maxBytes;
    this.#isFull = share < (this.#isFull ? ROOM_ABOVE : FULL_BELOW);
    if (!this.#isFull || this.#now() - this.#reportedAt < REPORT_EVERY_MS) return;
    this.#reportedAt = this.#now();
    this.deps.onFull(this.#full());
  }

  #full(): TaskError {
    const { usedBytes = 0, maxBytes = 1 } = this.#use ?? {};
    const used = `Redis uses ${percent(usedBytes / maxBytes)} of its maxmemory (${mib(usedBytes)} of ${mib(maxBytes)})`;
    const refused = `what begins something is refused from ${percent(this.#marks.creation)} on (LONGHAUL_REDIS_WATERMARK), steps wait from ${percent(this.#marks.record)} on`;
    return new TaskError(
      'STORE_FULL',
      `${used}: ${refused}. There is room again when tasks have ended and expired, or with a larger maxmemory.`,
    );
  }
}

function percent(share: number): string {
  return `${Math.round(share * 1_000) / 10} %`;
}

function mib(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
