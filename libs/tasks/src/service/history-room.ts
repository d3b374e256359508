/**
 * How much history a worker holds in memory at once. A pass holds the history of its task until it is over, and a
 * worker may run a thousand passes: without a bound, some large tasks that come together take it down, and then
 * the next worker.
 *
 * Only what is large counts; the rest is what the number of passes bounds. A large history waits until there is room,
 * and so does a large append: on its way to Redis a value is in memory several times.
 */
import { getHeapStatistics } from 'node:v8';
import { ByteRoom } from './byte-room.js';

/** A history or an append of at most this many bytes does not count. */
export const SMALL_BYTES = 256 * 1024;

/** A loaded history takes about twice its bytes, and half of the heap is for everything else. */
const HISTORIES_SHARE_OF_HEAP = 0.25;
/** An append is in memory as a value, as JSON and as what the socket sends. */
const APPENDS_SHARE_OF_HEAP = 0.05;
/** A history of more than this share would leave no room for the pass itself. */
const LARGEST_SHARE_OF_HEAP = 0.4;

/** The place of one pass's history. */
export interface HistoryPlace {
  /** Notes that the history has grown. @returns whether there is room for it: a pass that gets no should leave soon */
  grow(bytes: number): boolean;
  /** Runs an append of so many bytes once there is room for it. @throws the reason of `signal` when it aborts before */
  append<T>(bytes: number, signal: AbortSignal, run: () => Promise<T>): Promise<T>;
  /** Frees the place; further calls do nothing. */
  leave(): void;
}

/** The room of one process. */
export class HistoryRoom {
  private readonly histories: ByteRoom;
  private readonly appends: ByteRoom;
  /** No history that is larger can be held at all, bytes. */
  readonly largestBytes: number;

  constructor(heapBytes = getHeapStatistics().heap_size_limit) {
    this.histories = new ByteRoom(heapBytes * HISTORIES_SHARE_OF_HEAP);
    this.appends = new ByteRoom(heapBytes * APPENDS_SHARE_OF_HEAP);
    this.largestBytes = Math.floor(heapBytes * LARGEST_SHARE_OF_HEAP);
  }

  /** Waits for room for a history. @throws the reason of `signal` when it aborts before */
  async enter(loadedBytes: number, signal: AbortSignal): Promise<HistoryPlace> {
    const { histories, appends } = this;
    let bytes = loadedBytes;
    let held = countedOf(bytes);
    if (held > 0) await histories.enter(held, signal);
    return {
      grow(by) {
        bytes += by;
        const more = countedOf(bytes) - held;
        const fits = more === 0 || histories.grow(held, more);
        held += more;
        return fits;
      },
      async append(appended, aborted, run) {
        const counted = countedOf(appended);
        if (counted === 0) return run();
        await appends.enter(counted, aborted);
        return run().finally(() => appends.leave(counted));
      },
      leave() {
        if (held > 0) histories.leave(held);
        held = 0;
      },
    };
  }
}

function countedOf(bytes: number): number {
  return bytes > SMALL_BYTES ? bytes : 0;
}
