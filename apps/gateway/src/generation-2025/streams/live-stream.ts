/**
 * Serves an event stream in this process: the log of the stream and, while its client is connected, the HTTP response. A message is first
 * appended to the log and then written, in order. While the log is unreachable messages are still written, without an id: the client gets
 * them now, and at worst a second time if it resumes. Reading the log waits until it is reachable.
 */
import { type NewEntry, type StreamRef, type StreamRequest, type StreamStore } from '@longhaul/sessions/gateway';
import { eventId } from '../../streams/event-id.js';
import type { ServerResponse } from 'node:http';
import type { TaskService, Unsubscribe } from '@longhaul/tasks';
import type { Logger } from 'pino';
import { Ending } from '../../streams/ending.js';
import { SseWriter } from '../../streams/sse-writer.js';

/** When a client must come back after its connection broke; not so soon that many clients overload the other gateways at once. */
const RETRY_MS = 1_000;
/** When a client must come back after the gateway has said good-bye: another gateway serves already. */
const RETRY_AFTER_GOODBYE_MS = 100;

/** The parts of a stream. */
export interface LiveStreamDeps {
  readonly store: StreamStore;
  readonly patiently: TaskService['patiently'];
  readonly logger: Logger;
}

/** A stream that must be served. */
export interface LiveStreamOptions {
  readonly ref: StreamRef;
  readonly raw: ServerResponse;
  /** The last entry that the client has. */
  readonly cursor: number;
  /** The number of due answers; a standalone stream ends otherwise. */
  readonly due: number;
  /** Whether the client understands an event without data. */
  readonly isPrimed: boolean;
  /** Given by a caller that needs it before the stream is served. */
  readonly ending?: Ending;
}

export class LiveStream {
  readonly ref: StreamRef;
  /** Whether the client has received an id to come back with before any message. */
  readonly isPrimed: boolean;
  #writer: SseWriter | undefined;
  #cursor: number;
  #due: number;
  #isOver = false;
  #isTaken = false;
  /** The requests that the stream answers, until the store has recorded them. */
  #unbound: readonly StreamRequest[] | undefined;
  /** Messages that the client received although they may be missing in the log; if they are in it, they are not sent again. */
  #unlogged: Set<string> | undefined;
  readonly #ending: Ending;
  #queue: Promise<void> = Promise.resolve();
  #unwatch: Unsubscribe | undefined;

  constructor(
    private readonly deps: LiveStreamDeps,
    { ref, raw, cursor, due, isPrimed, ending = new Ending() }: LiveStreamOptions,
  ) {
    this.ref = ref;
    this.isPrimed = isPrimed;
    this.#cursor = cursor;
    this.#due = due;
    this.#ending = ending;
    const writer = new SseWriter(raw);
    this.#writer = writer;
    writer.begin();
    writer.retry(RETRY_MS, isPrimed ? eventId({ streamId: ref.streamId, n: cursor }) : undefined);
    if (raw.destroyed) queueMicrotask(() => this.#left());
    else raw.on('close', () => this.#left());
  }

  /** Whether all of its requests have been answered. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether another gateway has taken it over. */
  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Whether a client is connected. */
  get isAttached(): boolean {
    return this.#writer !== undefined;
  }

  /** Calls the listener once, when this process no longer serves the stream: the client has gone, or another gateway has taken over. */
  whenLeft(listener: () => void): void {
    this.#ending.whenOver(listener);
  }

  send(entry: NewEntry): void {
    void this.#enqueue(() => this.#append(entry));
  }

  /** Marks one request as getting no answer. @param isExclusive whether only the stream's present writer may do so */
  withdraw(isExclusive: boolean): void {
    void this.#enqueue(async () => {
      this.#due -= 1;
      if ((await this.deps.store.settleOne(this.ref, isExclusive)) || this.#due <= 0) this.#finish();
    });
  }

  /** Records the tasks that the answers belong to. */
  bind(requests: readonly StreamRequest[]): void {
    this.#unbound = requests;
    void this.#enqueue(() => this.#bind());
  }

  /** Writes the entries of the log after the cursor. Removed entries are lost, and the client learns their number. */
  catchUp(): Promise<void> {
    return this.#enqueue(() => this.#catchUp());
  }

  /** Reads the log again whenever another writer appends to it. */
  async watch(): Promise<void> {
    const { store, patiently } = this.deps;
    const unwatch = await patiently(() => store.watch(this.ref, () => void this.catchUp()), this.#ending.signal);
    if (this.#writer === undefined) unwatch();
    else this.#unwatch = unwatch;
  }

  /** Whether the client can no longer come back to the stream. */
  async isForgotten(): Promise<boolean> {
    return (await this.deps.store.read(this.ref, Number.MAX_SAFE_INTEGER)).isFinished;
  }

  /** Sends a keep-alive to the client, and renews the lease for the other gateways. @returns false when the stream no longer exists */
  async keepAlive(leaseMs: number): Promise<boolean> {
    this.#writer?.keepAlive();
    const kept = this.isAttached ? await this.deps.store.keep(this.ref, leaseMs) : 'kept';
    if (kept === 'taken') this.#endAsTaken();
    else await this.#bind();
    return kept !== 'gone';
  }

  /** Ends the connection, but not the stream: the client continues at another gateway. */
  sayGoodbye(): Promise<void> {
    return this.#enqueue(async () => {
      this.#writer?.retry(RETRY_AFTER_GOODBYE_MS);
      this.#writer?.end();
    });
  }

  /** Ends the connection. */
  end(): void {
    void this.#enqueue(async () => this.#writer?.end());
  }

  /** Tried again with each keep-alive until the store has it. */
  async #bind(): Promise<void> {
    const requests = this.#unbound;
    if (requests === undefined) return;
    await this.deps.store.bind(this.ref, requests);
    if (this.#unbound === requests) this.#unbound = undefined;
  }

  async #append(entry: NewEntry): Promise<void> {
    if (this.#isTaken && entry.isExclusive) return;
    if (entry.isAnswer) this.#due -= 1;
    let verdict;
    try {
      verdict = await this.deps.store.append(this.ref, entry);
    } catch (error) {
      this.deps.logger.warn({ err: error }, 'message not logged');
      (this.#unlogged ??= new Set()).add(entry.json);
      verdict = 'gone' as const;
    }
    if (verdict === 'taken') return this.#endAsTaken();
    if (verdict === 'gone') this.#writer?.send(entry.json);
    else if (verdict.n === this.#cursor + 1) this.#write(verdict.n, entry.json);
    else if (this.isAttached) await this.#catchUp(verdict.n);
    if (this.#due <= 0 || (verdict !== 'gone' && verdict.isFinished)) this.#finish();
  }

  /** @param own the entry that was just appended here, which the client cannot have */
  async #catchUp(own?: number): Promise<void> {
    if (!this.isAttached) return;
    const { store, patiently } = this.deps;
    const { entries, isFinished } = await patiently(() => store.read(this.ref, this.#cursor), this.#ending.signal);
    const lost = (entries[0]?.n ?? 0) - this.#cursor - 1;
    if (lost > 0) this.#writer?.send(gapNotice(lost));
    for (const { n, json } of entries) {
      if (n !== own && this.#unlogged?.delete(json) === true) this.#cursor = n;
      else this.#write(n, json);
    }
    if (isFinished && !this.ref.isStandalone) this.#finish();
  }

  #write(n: number, json: string): void {
    this.#cursor = n;
    this.#writer?.send(json, eventId({ streamId: this.ref.streamId, n }));
  }

  #finish(): void {
    this.#isOver = true;
    this.#writer?.end();
  }

  /** Another gateway serves the client now; this one ends its connection and sends nothing more. */
  #endAsTaken(): void {
    this.#isTaken = true;
    this.#writer?.end();
    this.#left();
  }

  #left(): void {
    if (this.#writer === undefined) return;
    this.#writer = undefined;
    this.#ending.end();
    this.#unwatch?.();
    if (!this.#isOver && !this.#isTaken) void this.#enqueue(() => this.deps.store.leave(this.ref));
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(work).catch((error: unknown) => this.deps.logger.warn({ err: error }, 'stream not written'));
    return this.#queue;
  }
}

/**
 * A client that resumes cannot notice a gap by itself. It has not asked for this log message, so the log level that it has set does not
 * apply.
 */
function gapNotice(lost: number): string {
  const data = `${lost} messages of this stream are lost: the log from which it was resumed does not reach back so far.`;
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', logger: 'longhaul', data } });
}
