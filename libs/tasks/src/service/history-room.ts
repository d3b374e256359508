/**
 * How much history a worker holds in memory at once. A pass holds the history of its task until it is over, and a
 * worker may run a thousand passes: without a bound, some large tasks that come together take it down, and then
 * the next worker.
 *
 * Only large histories count; the rest is what the number of passes bounds. A large one waits until there is room,
 * and always gets in when no other large one is held, so that every task goes on some time.
 */
import { getHeapStatistics } from 'node:v8';

/** A history of at most this many bytes does not count. */
export const SMALL_HISTORY_BYTES = 256 * 1024;

/** A loaded history takes about twice its bytes, and half of the heap is for everything else. */
const SHARE_OF_HEAP = 0.25;
/** A history of more than this share would leave no room for the pass itself. */
const LARGEST_SHARE_OF_HEAP = 0.4;

interface Waiting {
  readonly bytes: number;
  readonly admit: () => void;
}

/** The place of one pass's history. */
export interface HistoryPlace {
  /** Notes that the history has grown. @returns whether there is room for it: a pass that gets no should leave soon */
  grow(bytes: number): boolean;
  /** Frees the place; further calls do nothing. */
  leave(): void;
}

/** The room of one process. */
export class HistoryRoom {
  private held = 0;
  private readonly waiting: Waiting[] = [];

  private readonly capacityBytes: number;
  /** No history that is larger can be held at all. */
  readonly largestBytes: number;

  constructor(heapBytes = getHeapStatistics().heap_size_limit) {
    this.capacityBytes = heapBytes * SHARE_OF_HEAP;
    this.largestBytes = Math.floor(heapBytes * LARGEST_SHARE_OF_HEAP);
  }

  /**
   * Waits for room, behind those that wait already.
   *
   * @throws the reason of `signal` when it aborts before
   */
  async enter(bytes: number, signal: AbortSignal): Promise<HistoryPlace> {
    const counted = countedOf(bytes);
    if (counted > 0 && (this.waiting.length > 0 || !this.hasRoomFor(counted))) await this.turn(counted, signal);
    else this.held += counted;
    return this.place(bytes);
  }

  private place(loadedBytes: number): HistoryPlace {
    let bytes = loadedBytes;
    let left = false;
    return {
      grow: (by) => {
        const more = countedOf(bytes + by) - countedOf(bytes);
        const fits = more === 0 || this.held === countedOf(bytes) || this.held + more <= this.capacityBytes;
        bytes += by;
        this.held += more;
        return fits;
      },
      leave: () => {
        if (left) return;
        left = true;
        this.held -= countedOf(bytes);
        this.admitNext();
      },
    };
  }

  private hasRoomFor(bytes: number): boolean {
    return this.held === 0 || this.held + bytes <= this.capacityBytes;
  }

  private turn(bytes: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        signal.removeEventListener('abort', giveUp);
        this.held += bytes;
        resolve();
      };
      const waiting = { bytes, admit };
      const giveUp = (): void => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
        this.admitNext();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.waiting.push(waiting);
    });
  }

  private admitNext(): void {
    for (let next = this.waiting[0]; next !== undefined && this.hasRoomFor(next.bytes); next = this.waiting[0]) {
      this.waiting.shift();
      next.admit();
    }
  }
}

function countedOf(bytes: number): number {
  return bytes > SMALL_HISTORY_BYTES ? bytes : 0;
}
