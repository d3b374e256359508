/** Stores event streams in Redis: a stream and a hash for each, under the hash tag of their session. Each operation is one script. */
import {
  type AppendVerdict,
  type Cancellation,
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
} from '@longhaul/sessions/gateway';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import type { Signals } from '@longhaul/sessions';
import { FIELD_LIMITS, type StoreCapacity, type Unsubscribe } from '@longhaul/tasks';
import { whileReachable } from '../tasks/store-fault.js';
import type { GatewayKeys } from '../keys/gateway.js';
import { APPEND } from './stream-append.lua.js';
import { BIND, KEEP, LEAVE, NOTE_CANCELLED, SETTLE_ONE } from './stream-leases.lua.js';
import { OPEN } from './stream-open.lua.js';
import { TAKE_OVER } from './stream-take-over.lua.js';

/** Dependencies of the store. */
export interface RedisStreamStoreDeps {
  readonly redis: RedisClient;
  readonly keys: GatewayKeys;
  readonly signals: Signals;
  readonly capacity: StoreCapacity;
}

/** `StreamStore` on Redis. */
export class RedisStreamStore implements StreamStore {
  readonly #open: RunScript<typeof OPEN>;
  readonly #takeOver: RunScript<typeof TAKE_OVER>;
  readonly #append: RunScript<typeof APPEND>;
  readonly #keep: RunScript<typeof KEEP>;
  readonly #leave: RunScript<typeof LEAVE>;
  readonly #bind: RunScript<typeof BIND>;
  readonly #settleOne: RunScript<typeof SETTLE_ONE>;
  readonly #noteCancelled: RunScript<typeof NOTE_CANCELLED>;

  constructor(private readonly deps: RedisStreamStoreDeps) {
    const { redis } = deps;
    this.#open = defineScript(redis, OPEN);
    this.#takeOver = defineScript(redis, TAKE_OVER);
    this.#append = defineScript(redis, APPEND);
    this.#keep = defineScript(redis, KEEP);
    this.#leave = defineScript(redis, LEAVE);
    this.#bind = defineScript(redis, BIND);
    this.#settleOne = defineScript(redis, SETTLE_ONE);
    this.#noteCancelled = defineScript(redis, NOTE_CANCELLED);
  }

  async open(stream: NewStream): Promise<OpenVerdict> {
    const { streamId, gatewayId, leaseMs, maxOpen, requests, isStandalone, replacing } = stream;
    const args = {
      streamId,
      gateway: gatewayId,
      requests: JSON.stringify(requests),
      replacing: holderText(replacing),
      leaseMs,
      due: isStandalone ? 1 : requests.length,
      maxOpen,
      ttlMs: UNFINISHED_TTL_MS,
      isStandalone,
    };
    const reply = await whileReachable(() => this.#open(this.#keysOf(stream), args));
    return reply[0] === 'held' ? { verdict: 'held', holder: holderOf(reply[1]) } : { verdict: reply[0] };
  }

  async takeOver(request: TakeOver): Promise<TakeOverVerdict> {
    const { streamId, n, gatewayId, leaseMs, maxOpen, replacing } = request;
    const args = { streamId, gateway: gatewayId, replacing: holderText(replacing), n, leaseMs, maxOpen, ttlMs: UNFINISHED_TTL_MS };
    const reply = await whileReachable(() => this.#takeOver(this.#keysOf(request), args));
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
    const { changed, ...keys } = this.#keysOf(stream);
    const limits = { maxEntries: MAX_LOG_ENTRIES, ttlMs: UNFINISHED_TTL_MS, finishedTtlMs: FINISHED_TTL_MS };
    const args = { streamId, json, changed, epoch, isExclusive, isAnswer, ...limits };
    return this.deps.capacity.admit('creation', json.length, () => whileReachable(() => this.#append(keys, args)));
  }

  async settleOne(stream: StreamRef, isExclusive: boolean): Promise<boolean> {
    const { changed, ...keys } = this.#keysOf(stream);
    const { streamId, epoch } = stream;
    return whileReachable(() => this.#settleOne(keys, { streamId, changed, epoch, isExclusive }));
  }

  async requestsOf(stream: StreamName): Promise<readonly StreamRequest[]> {
    const requests = await whileReachable(() => this.deps.redis.hget(this.#keysOf(stream).meta, 'requests'));
    return requests === null ? [] : (JSON.parse(requests) as StreamRequest[]);
  }

  async bind(stream: StreamRef, requests: readonly StreamRequest[]): Promise<void> {
    await whileReachable(() => this.#bind(this.#keysOf(stream), { requests: JSON.stringify(requests) }));
  }

  async read(stream: StreamName, after: number): Promise<{ readonly entries: readonly StreamEntry[]; readonly isFinished: boolean }> {
    const { meta, log } = this.#keysOf(stream);
    const { redis } = this.deps;
    // The log is read after the count: a stream that was finished then has its last entry in the log.
    const [[due], entries] = await whileReachable(() => Promise.all([redis.hmget(meta, 'due'), redis.xrange(log, `(${after}-0`, '+')]));
    return { entries: entries.map(entryOf), isFinished: due === null || due === undefined || Number(due) <= 0 };
  }

  async keep(stream: StreamRef, leaseMs: number): Promise<'kept' | 'taken' | 'gone'> {
    const { streamId, epoch, gatewayId, isStandalone } = stream;
    const args = { streamId, gateway: gatewayId, epoch, leaseMs, ttlMs: UNFINISHED_TTL_MS, isStandalone };
    return whileReachable(() => this.#keep(this.#keysOf(stream), args));
  }

  async leave(stream: StreamRef): Promise<void> {
    const { streamId, epoch, gatewayId } = stream;
    await whileReachable(() => this.#leave(this.#keysOf(stream), { streamId, gateway: gatewayId, epoch }));
  }

  async noteCancelled(sessionId: string, requestId: string | number, cancellation: Cancellation): Promise<void> {
    const cancelled = this.deps.keys.cancelledRequests(sessionId);
    const args = {
      requestId: JSON.stringify(requestId),
      cancellation: JSON.stringify(cancellation),
      ttlMs: UNFINISHED_TTL_MS,
      maxNoted: FIELD_LIMITS.notedCancellations,
    };
    await whileReachable(() => this.#noteCancelled({ cancelled }, args));
  }

  async cancellationOf(sessionId: string, requestId: string | number): Promise<Cancellation | undefined> {
    const { redis, keys } = this.deps;
    const name = keys.cancelledRequests(sessionId);
    const noted = await whileReachable(() => redis.hget(name, JSON.stringify(requestId)));
    return noted === null ? undefined : (JSON.parse(noted) as Cancellation);
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
