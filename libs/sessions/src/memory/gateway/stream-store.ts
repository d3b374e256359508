/** Event streams of one process, gone with it. For tests. */
import type { Signals } from '../../ports/signals.js';
import { type Clock, FIELD_LIMITS, type Unsubscribe } from '@longhaul/tasks';
import {
  type AppendVerdict,
  FINISHED_TTL_MS,
  MAX_LOG_ENTRIES,
  type NewEntry,
  type NewStream,
  type OpenVerdict,
  type StreamEntry,
  type StreamHolder,
  type StreamName,
  type StreamRef,
  type StreamRequest,
  type StreamStore,
  type TakeOver,
  type TakeOverVerdict,
  UNFINISHED_TTL_MS,
} from '../../gateway/stream-store.js';

const SWEEP_INTERVAL_MS = 1_000;

interface Row {
  readonly isStandalone: boolean;
  readonly origin: string;
  readonly openedAt: number;
  requests: readonly StreamRequest[];
  entries: StreamEntry[];
  epoch: number;
  last: number;
  due: number;
  expiresAt: number;
  /** End of the lease, while the stream is open. */
  openUntil: number;
}

interface SessionRow {
  readonly streams: Map<string, Row>;
  /** Cancelled requests, and when that may be forgotten. */
  readonly cancelled: Map<string | number, number>;
  holder?: StreamHolder & { readonly until: number };
}

/** `StreamStore` in memory. */
export class MemoryStreamStore implements StreamStore {
  readonly #sessions = new Map<string, SessionRow>();
  #sweptAt = 0;

  constructor(private readonly deps: { readonly clock: Clock; readonly signals: Signals }) {}

  async open(stream: NewStream): Promise<OpenVerdict> {
    const { sessionId, streamId, gatewayId, leaseMs, maxOpen, requests, isStandalone, replacing } = stream;
    const session = this.#session(sessionId);
    const now = this.deps.clock();
    if (isStandalone) {
      const holder = liveHolder(session, now);
      if (holder !== undefined && !isSame(holder, replacing)) return { verdict: 'held', holder };
      const replaced = holder && session.streams.get(holder.streamId);
      if (replaced !== undefined) replaced.openUntil = 0;
    }
    if (openCount(session, now) >= maxOpen) return { verdict: 'too-many' };
    if (isStandalone) session.holder = { gatewayId, streamId, until: now + leaseMs };
    session.streams.set(streamId, {
      isStandalone,
      origin: gatewayId,
      openedAt: now,
      requests,
      entries: [],
      epoch: 1,
      last: 0,
      due: isStandalone ? 1 : requests.length,
      expiresAt: now + UNFINISHED_TTL_MS,
      openUntil: now + leaseMs,
    });
    return { verdict: 'opened' };
  }

  async takeOver(request: TakeOver): Promise<TakeOverVerdict> {
    const { sessionId, streamId, n, gatewayId, leaseMs, maxOpen, replacing } = request;
    const session = this.#session(sessionId);
    const row = this.#row(request);
    const now = this.deps.clock();
    if (row === undefined || n > row.last) return { verdict: 'unknown' };
    const isFinished = !row.isStandalone && row.due <= 0;
    if (!isFinished) {
      const holder = row.isStandalone ? liveHolder(session, now) : undefined;
      if (holder !== undefined && holder.streamId !== streamId && !isSame(holder, replacing)) return { verdict: 'held', holder };
      if (row.openUntil <= now && openCount(session, now) >= maxOpen) return { verdict: 'too-many' };
      row.openUntil = now + leaseMs;
      row.expiresAt = now + UNFINISHED_TTL_MS;
      if (row.isStandalone) session.holder = { gatewayId, streamId, until: now + leaseMs };
    }
    row.epoch += 1;
    const { epoch, isStandalone, requests, origin, openedAt } = row;
    return { verdict: 'taken', stream: { epoch, isStandalone, requests, origin, openedAt, isFinished } };
  }

  async append(stream: StreamRef, { json, isExclusive, isAnswer }: NewEntry): Promise<AppendVerdict> {
    const row = this.#row(stream);
    if (row === undefined) return 'gone';
    const isTaken = row.epoch !== stream.epoch;
    if (isTaken && isExclusive) return 'taken';
    row.last += 1;
    row.entries.push({ n: row.last, at: this.deps.clock(), json });
    if (row.entries.length > MAX_LOG_ENTRIES) row.entries.shift();
    if (isAnswer) row.due -= 1;
    const isFinished = isAnswer && row.due <= 0;
    row.expiresAt = this.deps.clock() + (isFinished ? FINISHED_TTL_MS : UNFINISHED_TTL_MS);
    if (isFinished) row.openUntil = 0;
    if (isTaken) await this.deps.signals.publish(channelOf(stream), String(row.last));
    return { n: row.last, isFinished };
  }

  async settleOne(stream: StreamRef, isExclusive: boolean): Promise<boolean> {
    const row = this.#row(stream);
    if (row === undefined) return true;
    const isTaken = row.epoch !== stream.epoch;
    if (isTaken && isExclusive) return false;
    row.due -= 1;
    if (row.due > 0) return false;
    row.openUntil = 0;
    if (isTaken) await this.deps.signals.publish(channelOf(stream), String(row.last));
    return true;
  }

  async requestsOf(stream: StreamName): Promise<readonly StreamRequest[]> {
    return this.#row(stream)?.requests ?? [];
  }

  async bind(stream: StreamRef, requests: readonly StreamRequest[]): Promise<void> {
    const row = this.#row(stream);
    if (row !== undefined) row.requests = requests;
  }

  async read(stream: StreamName, after: number): Promise<{ readonly entries: readonly StreamEntry[]; readonly isFinished: boolean }> {
    const row = this.#row(stream);
    return { entries: row?.entries.filter(({ n }) => n > after) ?? [], isFinished: row === undefined || row.due <= 0 };
  }

  async keep(stream: StreamRef, leaseMs: number): Promise<'kept' | 'taken' | 'gone'> {
    const { sessionId, streamId, gatewayId, epoch, isStandalone } = stream;
    const row = this.#row(stream);
    const now = this.deps.clock();
    if (row === undefined) return 'gone';
    if (row.epoch !== epoch) return 'taken';
    if (isStandalone) {
      const session = this.#session(sessionId);
      const holder = liveHolder(session, now);
      if (holder !== undefined && !isSame(holder, stream)) return 'taken';
      session.holder = { gatewayId, streamId, until: now + leaseMs };
    }
    row.openUntil = now + leaseMs;
    row.expiresAt = now + UNFINISHED_TTL_MS;
    return 'kept';
  }

  async leave(stream: StreamRef): Promise<void> {
    const row = this.#row(stream);
    if (row?.epoch !== stream.epoch) return;
    row.openUntil = 0;
    const session = this.#session(stream.sessionId);
    if (isSame(session.holder, stream)) delete session.holder;
  }

  async noteCancelled(sessionId: string, requestId: string | number): Promise<void> {
    const { cancelled } = this.#session(sessionId);
    if (cancelled.size < FIELD_LIMITS.notedCancellations) cancelled.set(requestId, this.deps.clock() + UNFINISHED_TTL_MS);
  }

  async isCancelled(sessionId: string, requestId: string | number): Promise<boolean> {
    return (this.#sessions.get(sessionId)?.cancelled.get(requestId) ?? 0) > this.deps.clock();
  }

  watch(stream: StreamName, listener: () => void): Promise<Unsubscribe> {
    return this.deps.signals.subscribe(channelOf(stream), () => listener());
  }

  #row({ sessionId, streamId }: StreamName): Row | undefined {
    const row = this.#sessions.get(sessionId)?.streams.get(streamId);
    return row !== undefined && row.expiresAt > this.deps.clock() ? row : undefined;
  }

  #session(sessionId: string): SessionRow {
    this.#sweep();
    const found: SessionRow = this.#sessions.get(sessionId) ?? { streams: new Map(), cancelled: new Map() };
    this.#sessions.set(sessionId, found);
    return found;
  }

  /** Frees what has expired and nobody asks for any more. */
  #sweep(): void {
    const now = this.deps.clock();
    if (now - this.#sweptAt < SWEEP_INTERVAL_MS) return;
    this.#sweptAt = now;
    for (const [id, { streams, cancelled }] of this.#sessions) {
      for (const [requestId, expiresAt] of cancelled) if (expiresAt <= now) cancelled.delete(requestId);
      for (const [streamId, { expiresAt }] of streams) if (expiresAt <= now) streams.delete(streamId);
      if (streams.size === 0 && cancelled.size === 0) this.#sessions.delete(id);
    }
  }
}

function openCount({ streams }: SessionRow, now: number): number {
  return [...streams.values()].filter(({ openUntil }) => openUntil > now).length;
}

function liveHolder({ holder }: SessionRow, now: number): StreamHolder | undefined {
  return holder !== undefined && holder.until > now ? { gatewayId: holder.gatewayId, streamId: holder.streamId } : undefined;
}

function isSame(left: StreamHolder | undefined, right: StreamHolder | undefined): boolean {
  return left !== undefined && left.gatewayId === right?.gatewayId && left.streamId === right.streamId;
}

function channelOf({ sessionId, streamId }: StreamName): string {
  return `stream ${sessionId} ${streamId}`;
}
