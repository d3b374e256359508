/**
 * Measures how much room the data file has: the free space of the disk, and the limit of the file if it has one. Creations are refused
 * first, then steps wait, and the rest is for ends, answers and cancellations. A look costs some microseconds, so each process looks for
 * itself.
 */
import { SPARE_SHARE, type WriteKind } from '@longhaul/tasks/store';
import { type StoreCapacity, TaskError } from '@longhaul/tasks';
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SqliteDatabase } from '@longhaul/sqlite';
import { whileUsable } from './task-file.js';

const MIB = 2 ** 20;

/** The space of the disk that is left for later kinds of writes, bytes: the log of writes alone may take some ten MiB. */
const LEFT_ON_DISK = { creation: 64 * MIB, record: 32 * MIB };
/** The share of the file's largest size at which each kind is refused. */
const SHARE_OF_SIZE = { creation: 0.85, record: 0.925 };
/** A look is valid for this long, or until this share of its room was written. */
const LOOK_MS = 100;
const SHARE_OF_ROOM = 1 / 8;
/** The bytes of a write in addition to its JSON: keys, indexes, a job. */
const OVERHEAD_BYTES = 4_096;
/** Without room for this much, almost no work can begin. */
const SMALLEST_CREATION_BYTES = 2 * OVERHEAD_BYTES;
const REPORT_EVERY_MS = 60_000;

/** Dependencies of the capacity. */
export interface SqliteCapacityDeps {
  readonly database: SqliteDatabase;
  /** Limit of the file, bytes. @defaultValue the size of the disk */
  readonly maxBytes?: number | undefined;
  /** Receives a `STORE_FULL` once a minute while writes are refused. */
  readonly onFull: (error: TaskError) => void;
}

/** The result of a look, bytes. */
interface Room {
  readonly usedBytes: number;
  readonly freeOnDiskBytes: number;
}

/** `StoreCapacity` of a data file. */
export class SqliteCapacity implements StoreCapacity {
  readonly #folder: string;
  #room: Room | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** The admitted bytes that the look does not include. */
  #taken = 0;
  /** The admitted bytes that wait to be written, perhaps because others have locked the file. */
  #unwritten = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly deps: SqliteCapacityDeps) {
    const { database, maxBytes } = deps;
    this.#folder = dirname(database.path);
    if (maxBytes !== undefined) database.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / pageBytesOf(database)))}`);
  }

  admit<T>(kind: WriteKind, bytes: number, write: () => Promise<T>): Promise<T> {
    const cost = bytes + OVERHEAD_BYTES;
    return whileUsable(async () => {
      if (kind !== 'end') this.#requireRoomFor(kind, cost);
      this.#taken += cost;
      this.#unwritten += cost;
      try {
        return await write();
      } finally {
        this.#unwritten -= cost;
      }
    });
  }

  requireRoom(): void {
    this.#requireRoomFor('creation', SMALLEST_CREATION_BYTES);
  }

  hasRoomToSpare(): boolean {
    const { maxBytes = Number.POSITIVE_INFINITY } = this.deps;
    const known = performance.now() - this.#lookedAt < LOOK_MS ? this.#room : undefined;
    const { usedBytes, freeOnDiskBytes } = known ?? this.#look();
    return freeOnDiskBytes > LEFT_ON_DISK.creation / SPARE_SHARE && usedBytes <= maxBytes * SHARE_OF_SIZE.creation * SPARE_SHARE;
  }

  #requireRoomFor(kind: Exclude<WriteKind, 'end'>, cost: number): void {
    const known = this.#room && roomFor(kind, this.#room, this.deps.maxBytes);
    const isGood = known !== undefined && performance.now() - this.#lookedAt < LOOK_MS && this.#taken + cost < known * SHARE_OF_ROOM;
    if (isGood) return;
    const room = this.#look();
    if (roomFor(kind, room, this.deps.maxBytes) <= this.#taken + cost) throw this.#full(room);
  }

  #look(): Room {
    this.#room = look(this.deps.database, this.#folder);
    this.#lookedAt = performance.now();
    this.#taken = this.#unwritten;
    return this.#room;
  }

  #full({ usedBytes, freeOnDiskBytes }: Room): TaskError {
    const { database, maxBytes, onFull } = this.deps;
    const size =
      maxBytes === undefined
        ? ''
        : ` of the ${mib(maxBytes)} that it may by LONGHAUL_SQLITE_MAX_BYTES (what begins something is refused from ${percent(SHARE_OF_SIZE.creation)} on, steps wait from ${percent(SHARE_OF_SIZE.record)} on)`;
    const error = new TaskError(
      'STORE_FULL',
      `The data file ${database.path} takes ${mib(usedBytes)}${size}, and its disk has ${mib(freeOnDiskBytes)} left (what begins something is refused below ${mib(LEFT_ON_DISK.creation)}, steps wait below ${mib(LEFT_ON_DISK.record)}). There is room again when tasks have ended and expired, or with ${maxBytes === undefined ? 'more of the disk' : 'more of the disk or a larger limit'}.`,
    );
    if (performance.now() - this.#reportedAt >= REPORT_EVERY_MS) {
      this.#reportedAt = performance.now();
      onFull(error);
    }
    return error;
  }
}

function look(database: SqliteDatabase, folder: string): Room {
  database.requireInPlace();
  const pages =
    Number(database.get('PRAGMA page_count')?.['page_count']) - Number(database.get('PRAGMA freelist_count')?.['freelist_count']);
  const { bavail, bsize } = statfsSync(folder);
  return { usedBytes: pages * pageBytesOf(database), freeOnDiskBytes: bavail * bsize };
}

function roomFor(kind: Exclude<WriteKind, 'end'>, { usedBytes, freeOnDiskBytes }: Room, maxBytes = Number.POSITIVE_INFINITY): number {
  return Math.min(freeOnDiskBytes - LEFT_ON_DISK[kind], maxBytes * SHARE_OF_SIZE[kind] - usedBytes);
}

function pageBytesOf(database: SqliteDatabase): number {
  return Number(database.get('PRAGMA page_size')?.['page_size']);
}

function mib(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}

function percent(share: number): string {
  return `${Math.round(share * 1_000) / 10} %`;
}
