/** Stores event streams in the data file: one row for each stream, and one for each of its entries. Each operation is one transaction. */
import {
  type AppendVerdict,
  type Cancellation,
  FINISHED_TTL_MS,
  MAX_LOG_ENTRIES,
  type NewEntry,
  type NewStream,
  type OpenVerdict,
  type StreamEntry,
  type StreamName,
  type StreamRef,
  type StreamRequest,
  type StreamStore,
  type TakeOver,
  type TakeOverVerdict,
  UNFINISHED_TTL_MS,
} from '@longhaul/sessions/gateway';
import { removeExpired } from '@longhaul/sqlite';
import type { Signals } from '@longhaul/sessions';
import { type TaskFile, whileUsable, writing } from '../tasks/task-file.js';
import { FIELD_LIMITS, type StoreCapacity, type Unsubscribe } from '@longhaul/tasks';
import { holderOf, isSameHolder, openCount, setHolder, streamRow } from './stream-rows.js';

/** Dependencies of the store. */
export interface SqliteStreamStoreDeps extends TaskFile {
  readonly capacity: StoreCapacity;
  readonly signals: Signals;
}

/** The result of a write, and whether the present writer must be notified. */
interface Written<Verdict> {
  readonly verdict: Verdict;
  readonly isOthers: boolean;
}

/** `StreamStore` in the data file. */
export class SqliteStreamStore implements StreamStore {
  constructor(private readonly deps: SqliteStreamStoreDeps) {}

  async open(stream: NewStream): Promise<OpenVerdict> {
    const { sessionId, streamId, gatewayId, leaseMs, maxOpen, requests, isStandalone, replacing } = stream;
    return this.#write((now): OpenVerdict => {
      removeExpired(this.deps.database, 'streams', now);
      removeExpired(this.deps.database, 'standalone_streams', now);
      if (isStandalone) {
        const holder = holderOf(this.deps.database, sessionId, now);
        if (holder !== undefined && !isSameHolder(holder, replacing)) return { verdict: 'held', holder };
        if (holder !== undefined)
          this.deps.database.run('UPDATE streams SET open_until = 0 WHERE session = ? AND stream = ?', sessionId, holder.streamId);
      }
      if (openCount(this.deps.database, sessionId, now) >= maxOpen) return { verdict: 'too-many' };
      if (isStandalone) setHolder(this.deps.database, sessionId, { gatewayId, streamId }, now + leaseMs);
      this.deps.database.run(
        `INSERT INTO streams (session, stream, is_standalone, origin, opened_at, requests, epoch, last, due, open_until, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, 1, 0, ?, ?, ?)`,
        sessionId,
        streamId,
        isStandalone ? 1 : 0,
        gatewayId,
        now,
        JSON.stringify(requests),
        isStandalone ? 1 : requests.length,
        now + leaseMs,
        now + UNFINISHED_TTL_MS,
      );
      return { verdict: 'opened' };
    });
  }

  async takeOver(request: TakeOver): Promise<TakeOverVerdict> {
    const { sessionId, streamId, n, gatewayId, leaseMs, maxOpen, replacing } = request;
    return this.#write((now): TakeOverVerdict => {
      const row = streamRow(this.deps.database, request, now);
      if (row === undefined || n > row.last) return { verdict: 'unknown' };
      const isStandalone = row.is_standalone === 1;
      const isFinished = !isStandalone && row.due <= 0;
      if (!isFinished) {
        const holder = isStandalone ? holderOf(this.deps.database, sessionId, now) : undefined;
        // The client itself says that its connection is gone, so the holder of the same stream may live.
        if (holder !== undefined && holder.streamId !== streamId && !isSameHolder(holder, replacing)) return { verdict: 'held', holder };
        if (row.open_until <= now && openCount(this.deps.database, sessionId, now) >= maxOpen) return { verdict: 'too-many' };
        const sql = 'UPDATE streams SET open_until = ?, expires_at = ? WHERE id = ?';
        this.deps.database.run(sql, now + leaseMs, now + UNFINISHED_TTL_MS, row.id);
        if (isStandalone) setHolder(this.deps.database, sessionId, { gatewayId, streamId }, now + leaseMs);
      }
      this.deps.database.run('UPDATE streams SET epoch = epoch + 1 WHERE id = ?', row.id);
      const requests = JSON.parse(row.requests) as StreamRequest[];
      const { origin, opened_at: openedAt } = row;
      return { verdict: 'taken', stream: { epoch: row.epoch + 1, isStandalone, requests, origin, openedAt, isFinished } };
    });
  }

  async append(stream: StreamRef, { json, isExclusive, isAnswer }: NewEntry): Promise<AppendVerdict> {
    const write = (now: number): Written<AppendVerdict> => {
      const row = streamRow(this.deps.database, stream, now);
      if (row === undefined) return { verdict: 'gone', isOthers: false };
      const isOthers = row.epoch !== stream.epoch;
      if (isOthers && isExclusive) return { verdict: 'taken', isOthers: false };
      const n = row.last + 1;
      const due = row.due - (isAnswer ? 1 : 0);
      const isFinished = isAnswer && due <= 0;
      this.deps.database.run('INSERT INTO stream_entries (stream, n, at, json) VALUES (?, ?, ?, ?)', row.id, n, now, json);
      this.deps.database.run('DELETE FROM stream_entries WHERE stream = ? AND n <= ?', row.id, n - MAX_LOG_ENTRIES);
      this.deps.database.run(
        'UPDATE streams SET last = ?, due = ?, expires_at = ?, open_until = CASE ? WHEN 1 THEN 0 ELSE open_until END WHERE id = ?',
        n,
        due,
        now + (isFinished ? FINISHED_TTL_MS : UNFINISHED_TTL_MS),
        isFinished ? 1 : 0,
        row.id,
      );
      return { verdict: { n, isFinished }, isOthers };
    };
    return this.deps.capacity.admit('creation', json.length, () => this.#writeForPresent(stream, write));
  }

  async settleOne(stream: StreamRef, isExclusive: boolean): Promise<boolean> {
    return this.#writeForPresent(stream, (now): Written<boolean> => {
      const row = streamRow(this.deps.database, stream, now);
      if (row === undefined) return { verdict: true, isOthers: false };
      const isOthers = row.epoch !== stream.epoch;
      if (isOthers && isExclusive) return { verdict: false, isOthers: false };
      const isFinished = row.due <= 1;
      const sql = 'UPDATE streams SET due = due - 1, open_until = CASE ? WHEN 1 THEN 0 ELSE open_until END WHERE id = ?';
      this.deps.database.run(sql, isFinished ? 1 : 0, row.id);
      return { verdict: isFinished, isOthers: isOthers && isFinished };
    });
  }

  async requestsOf(stream: StreamName): Promise<readonly StreamRequest[]> {
    const row = await whileUsable(() => streamRow(this.deps.database, stream, this.deps.clock()));
    return row === undefined ? [] : (JSON.parse(row.requests) as StreamRequest[]);
  }

  async bind({ sessionId, streamId }: StreamRef, requests: readonly StreamRequest[]): Promise<void> {
    const sql = 'UPDATE streams SET requests = ? WHERE session = ? AND stream = ?';
    await this.#write(() => this.deps.database.run(sql, JSON.stringify(requests), sessionId, streamId));
  }

  async read(stream: StreamName, after: number): Promise<{ readonly entries: readonly StreamEntry[]; readonly isFinished: boolean }> {
    return whileUsable(() => {
      // The log is read after the count: a stream that was finished then has its last entry in the log.
      const row = streamRow(this.deps.database, stream, this.deps.clock());
      if (row === undefined) return { entries: [], isFinished: true };
      const sql = 'SELECT n, at, json FROM stream_entries WHERE stream = ? AND n > ? ORDER BY n';
      return { entries: this.deps.database.all(sql, row.id, after) as unknown[] as StreamEntry[], isFinished: row.due <= 0 };
    });
  }

  async keep(stream: StreamRef, leaseMs: number): Promise<'kept' | 'taken' | 'gone'> {
    const { sessionId, epoch, isStandalone } = stream;
    return this.#write((now) => {
      const row = streamRow(this.deps.database, stream, now);
      if (row === undefined) return 'gone';
      if (row.epoch !== epoch) return 'taken';
      if (isStandalone) {
        const holder = holderOf(this.deps.database, sessionId, now);
        if (holder !== undefined && !isSameHolder(holder, stream)) return 'taken';
        setHolder(this.deps.database, sessionId, stream, now + leaseMs);
      }
      this.deps.database.run(
        'UPDATE streams SET open_until = ?, expires_at = ? WHERE id = ?',
        now + leaseMs,
        now + UNFINISHED_TTL_MS,
        row.id,
      );
      return 'kept';
    });
  }

  async leave(stream: StreamRef): Promise<void> {
    const { sessionId, streamId, gatewayId, epoch } = stream;
    await this.#write((now) => {
      const row = streamRow(this.deps.database, stream, now);
      if (row?.epoch !== epoch) return;
      this.deps.database.run('UPDATE streams SET open_until = 0 WHERE id = ?', row.id);
      const sql = 'DELETE FROM standalone_streams WHERE session = ? AND gateway = ? AND stream = ?';
      this.deps.database.run(sql, sessionId, gatewayId, streamId);
    });
  }

  async noteCancelled(sessionId: string, requestId: string | number, cancellation: Cancellation): Promise<void> {
    await this.#write((now) => {
      removeExpired(this.deps.database, 'cancelled_requests', now);
      const counted = 'SELECT count(*) AS count FROM cancelled_requests WHERE session = ? AND expires_at > ?';
      const { count } = this.deps.database.get(counted, sessionId, now) as { count: number };
      if (count >= FIELD_LIMITS.notedCancellations) return;
      const sql = 'INSERT OR REPLACE INTO cancelled_requests (session, request, cancellation, expires_at) VALUES (?, ?, ?, ?)';
      this.deps.database.run(sql, sessionId, JSON.stringify(requestId), JSON.stringify(cancellation), now + UNFINISHED_TTL_MS);
    });
  }

  async cancellationOf(sessionId: string, requestId: string | number): Promise<Cancellation | undefined> {
    const sql = 'SELECT cancellation FROM cancelled_requests WHERE session = ? AND request = ? AND expires_at > ?';
    const of = [sessionId, JSON.stringify(requestId), this.deps.clock()] as const;
    const noted = await whileUsable(() => this.deps.database.get(sql, ...of) as { cancellation: string } | undefined);
    return noted && (JSON.parse(noted.cancellation) as Cancellation);
  }

  watch(stream: StreamName, listener: () => void): Promise<Unsubscribe> {
    return this.deps.signals.subscribe(channelOf(stream), () => listener());
  }

  #write<T>(run: (now: number) => T): Promise<T> {
    return writing(this.deps, () => run(this.deps.clock()));
  }

  /** Notifies the present writer of the stream of entries that an earlier one has written. */
  async #writeForPresent<T>(stream: StreamName, run: (now: number) => Written<T>): Promise<T> {
    const { verdict, isOthers } = await this.#write(run);
    if (isOthers) await this.deps.signals.publish(channelOf(stream), 'changed');
    return verdict;
  }
}

function channelOf({ sessionId, streamId }: StreamName): string {
  return `stream:${sessionId}:${streamId}`;
}
