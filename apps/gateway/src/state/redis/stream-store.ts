/** Event streams in Redis: a stream and a hash for each, under the hash tag of their session. One script for each operation. */
import { FIELD_LIMITS, type Signals, type StoreCapacity, type Unsubscribe } from '@longhaul/tasks';
import type { GatewayKeys } from './session-keys.js';
import { APPEND } from './scripts/append.js';
import { BIND, KEEP, LEAVE, NOTE_CANCELLED, SETTLE_ONE } from './scripts/leases.js';
import { OPEN } from './scripts/open.js';
import { answered, type RunScript, type ScriptRedis, scriptOn } from './scripts/script.js';
import { TAKE_OVER } from './scripts/take-over.js';
import {
  type AppendVerdict,
  FINISHED_TTL_MS,
  MAX_LOG_ENTRIES,
  MAX_OPEN_STREAMS,
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
} from '../stream-store.js';

/** The commands of Redis that streams need. */
export interface StreamRedis extends ScriptRedis {
  xrange(key: string, start: string, end: string): Promise<[id: string, fields: string[]][]>;
  sismember(key: string, member: string): Promise<number>;
  hmget(key: string, ...fields: string[]): Promise<(string | null)[]>;
}

/** What the store works with. */
export interface RedisStreamStoreDeps {
  readonly redis: StreamRedis;
  readonly keys: GatewayKeys;
  readonly signals: Signals;
  readonly capacity: StoreCapacity;
}

/** `StreamStore` on Redis. */
export class RedisStreamStore implements StreamStore {
  readonly #run: Readonly<Record<'open' | 'takeOver' | 'append' | 'keep' | 'leave' | 'bind' | 'settleOne' | 'noteCancelled', RunScript>>;

  constructor(private readonly deps: RedisStreamStoreDeps) {
    const { redis } = deps;
    this.#run = {
      open: scriptOn(redis, OPEN),
      takeOver: scriptOn(redis, TAKE_OVER),
      append: scriptOn(redis, APPEND),
      keep: scriptOn(redis, KEEP),
      leave: scriptOn(redis, LEAVE),
      bind: scriptOn(redis, BIND),
      settleOne: scriptOn(redis, SETTLE_ONE),
      noteCancelled: scriptOn(redis, NOTE_CANCELLED),
    };
  }

  async open(stream: NewStream): Promise<OpenVerdict> {
    const { streamId, gatewayId, leaseMs, maxOpen = MAX_OPEN_STREAMS, requests, isStandalone, replacing } = stream;
    const { meta, open, standalone } = this.#keysOf(stream);
    const due = isStandalone ? 1 : requests.length;
    const reply = (await this.#run.open(
      [meta, open, standalone],
      [streamId, gatewayId, leaseMs, JSON.stringify(requests), due, flag(isStandalone), holderText(replacing), maxOpen, UNFINISHED_TTL_MS],
    )) as ['opened' | 'too-many'] | ['held', string];
    return reply[0] === 'held' ? { verdict: 'held', holder: holderOf(reply[1]) } : { verdict: reply[0] };
  }

  async takeOver(request: TakeOver): Promise<TakeOverVerdict> {
    const { streamId, n, gatewayId, leaseMs, maxOpen = MAX_OPEN_STREAMS, replacing } = request;
    const { meta, log, open, standalone } = this.#keysOf(request);
    const reply = (await this.#run.takeOver(
      [meta, log, open, standalone],
      [streamId, n, gatewayId, leaseMs, holderText(replacing), maxOpen, UNFINISHED_TTL_MS],
    )) as ['unknown' | 'too-many'] | ['held', string] | ['taken', number, string, string, string, string, number];
    if (reply[0] === 'held') return { verdict: 'held', holder: holderOf(reply[1]) };
    if (reply[0] !== 'taken') return { verdict: reply[0] };
    const [, epoch, requests, isStandalone, origin, openedAt, isFinished] = reply;
    return {
      verdict: 'taken',
      stream: {
        epoch,
        isStandalone: isStandalone === '1',
        requests: JSON.parse(requests) as StreamRequest[],
        origin,
        openedAt: Number(openedAt),
        isFinished: isFinished === 1,
      },
    };
  }

  async append(stream: StreamRef, { json, isExclusive, isAnswer }: NewEntry): Promise<AppendVerdict> {
    const { streamId, epoch } = stream;
    const { meta, log, open, changed } = this.#keysOf(stream);
    const args = [streamId, epoch, flag(isExclusive), flag(isAnswer), json, MAX_LOG_ENTRIES, UNFINISHED_TTL_MS, FINISHED_TTL_MS, changed];
    const reply = (await this.deps.capacity.admit('creation', json.length, () => this.#run.append([meta, log, open], args))) as
      'gone' | 'taken' | [number, number];
    return typeof reply === 'string' ? reply : { n: reply[0], isFinished: reply[1] === 1 };
  }

  async settleOne(stream: StreamRef, isExclusive: boolean): Promise<boolean> {
    const { meta, open, changed } = this.#keysOf(stream);
    return (await this.#run.settleOne([meta, open], [stream.streamId, stream.epoch, flag(isExclusive), changed])) === 1;
  }

  async bind(stream: StreamRef, requests: readonly StreamRequest[]): Promise<void> {
    await this.#run.bind([this.#keysOf(stream).meta], [JSON.stringify(requests)]);
  }

  async read(stream: StreamName, after: number): Promise<{ readonly entries: readonly StreamEntry[]; readonly isFinished: boolean }> {
    const { meta, log } = this.#keysOf(stream);
    const { redis } = this.deps;
    // The log after the count: what was finished then has its last entry in the log.
    const [[due], entries] = await answered(Promise.all([redis.hmget(meta, 'due'), redis.xrange(log, `(${after}-0`, '+')]));
    return { entries: entries.map(entryOf), isFinished: due === null || due === undefined || Number(due) <= 0 };
  }

  async keep(stream: StreamRef, leaseMs: number): Promise<'kept' | 'taken' | 'gone'> {
    const { streamId, epoch, gatewayId, isStandalone } = stream;
    const { meta, log, open, standalone } = this.#keysOf(stream);
    return (await this.#run.keep(
      [meta, log, open, standalone],
      [streamId, epoch, gatewayId, leaseMs, UNFINISHED_TTL_MS, flag(isStandalone)],
    )) as 'kept' | 'taken' | 'gone';
  }

  async leave(stream: StreamRef): Promise<void> {
    const { meta, open, standalone } = this.#keysOf(stream);
    await this.#run.leave([meta, open, standalone], [stream.streamId, stream.epoch, stream.gatewayId]);
  }

  async noteCancelled(sessionId: string, requestId: string | number): Promise<void> {
    await this.#run.noteCancelled(
      [this.deps.keys.cancelledRequests(sessionId)],
      [JSON.stringify(requestId), UNFINISHED_TTL_MS, FIELD_LIMITS.notedCancellations],
    );
  }

  async isCancelled(sessionId: string, requestId: string | number): Promise<boolean> {
    const { redis, keys } = this.deps;
    return (await answered(redis.sismember(keys.cancelledRequests(sessionId), JSON.stringify(requestId)))) === 1;
  }

  watch(stream: StreamName, listener: () => void): Promise<Unsubscribe> {
    return this.deps.signals.subscribe(this.#keysOf(stream).changed, () => listener());
  }

  #keysOf({ sessionId, streamId }: StreamName) {
    const { keys } = this.deps;
    return {
      meta: keys.streamMeta(sessionId, streamId),
      log: keys.streamLog(sessionId, streamId),
      open: keys.openStreams(sessionId),
      standalone: keys.standalone(sessionId),
      changed: keys.streamChanged(sessionId, streamId),
    };
  }
}

function flag(value: boolean): string {
  return value ? '1' : '0';
}

function holderText(holder: StreamHolder | undefined): string {
  return holder === undefined ? '' : `${holder.gatewayId}/${holder.streamId}`;
}

function holderOf(text: string): StreamHolder {
  const [gatewayId = '', streamId = ''] = text.split('/');
  return { gatewayId, streamId };
}

/** Fields come in the order in which the script writes them. */
function entryOf([id, [, json = '', , at = '0']]: [id: string, fields: string[]]): StreamEntry {
  return { n: Number.parseInt(id, 10), at: Number(at), json };
}
