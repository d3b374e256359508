/**
 * Limits how much data of tasks a worker holds in memory at once. A pass holds the history of its task until the pass ends, and the value
 * of a step is in memory several times on its way to Redis. A worker may run a thousand passes: without a bound, a few large tasks at once
 * could take the worker down, and then the next one.
 *
 * Only large histories and values count; the number of passes bounds the rest. A large history waits until there is room. A step waits in
 * the same way before it runs, if steps of its tool had large values lately.
 */
import { getHeapStatistics } from 'node:v8';
import { ByteRoom } from './byte-room.js';

/** A history or a value of at most this many bytes does not count. */
export const SMALL_BYTES = 256 * 1024;

/** Memory is reckoned by `heldBytes`; text that is not ASCII takes twice as much. */
const HISTORIES_SHARE_OF_HEAP = 0.2;
/** A value is in memory four times: as the author made it, as it will be read, as JSON and in the socket's buffer. */
const VALUES_SHARE_OF_HEAP = 0.05;
/** A history of more than this share would leave no room for the pass itself. */
const LARGEST_SHARE_OF_HEAP = 0.4;

/** The factor by which the expected size shrinks with each step that had a smaller value. */
const FADING = 0.9;

/** How much a history may grow while it is held before it may have to leave. */
const GROWTH = 2;

/** The room that one pass's history takes. */
export interface HistoryShare {
  /** Notes by how much memory the history has grown. @returns whether there is room for it: without room the pass should leave soon */
  grow(bytes: number): boolean;
  /** Whether it has become larger than any history that this process could hold. */
  readonly isTooLarge: boolean;
  /**
   * Takes room for the value of a step that is about to run.
   *
   * @returns a promise to await first, if large values are expected; it rejects with the reason of `signal`
   */
  startStep(tool: string, key: string, signal: AbortSignal): Promise<void> | undefined;
  /** Notes how much memory the value of a step takes. */
  endStep(tool: string, key: string, bytes: number): void;
  /** Frees the room of a step's value, which is part of the history from now on, or will never be. */
  freeStep(key: string): void;
  /** Frees everything; further calls do nothing. */
  leave(): void;
}

/** The room of one process. */
export class HistoryRoom {
  private readonly histories: ByteRoom;
  private readonly values: ByteRoom;
  /** The size that the next step's value may have, for tools with large values lately. */
  private readonly expected = new Map<string, number>();
  /** A history that is larger than this can never be held, bytes. */
  readonly largestBytes: number;

  constructor(heapBytes = getHeapStatistics().heap_size_limit) {
    this.histories = new ByteRoom(heapBytes * HISTORIES_SHARE_OF_HEAP);
    this.values = new ByteRoom(heapBytes * VALUES_SHARE_OF_HEAP);
    this.largestBytes = Math.floor(heapBytes * LARGEST_SHARE_OF_HEAP);
  }

  /** Waits for room for a history. @throws the reason of `signal` when it aborts before */
  async enter(loadedBytes: number, signal: AbortSignal): Promise<HistoryShare> {
    const { histories, values, expected, largestBytes } = this;
    let bytes = loadedBytes;
    // With room to grow: one that had to leave after each step would be loaded as often as it has steps.
    let held = countedOf(bytes) * GROWTH;
    const steps = new Map<string, number>();
    if (held > 0) await histories.enter(held, signal);
    const place: HistoryShare = {
      grow(by) {
        bytes += by;
        const more = Math.max(0, countedOf(bytes) - held);
        const fits = more === 0 || histories.grow(held, more);
        held += more;
        return fits;
      },
      get isTooLarge() {
        return bytes > largestBytes;
      },
      startStep(tool, key, aborted) {
        const wanted = expected.get(tool);
        return wanted === undefined ? undefined : values.enter(wanted, aborted).then(() => void steps.set(key, wanted));
      },
      endStep: (tool, key, valueBytes) => {
        this.expect(tool, countedOf(valueBytes));
        const reserved = steps.get(key) ?? 0;
        const taken = countedOf(valueBytes);
        if (taken > reserved) values.grow(reserved, taken - reserved);
        else if (reserved > taken) values.leave(reserved - taken);
        if (taken > 0) steps.set(key, taken);
        else steps.delete(key);
      },
      freeStep(key) {
        const taken = steps.get(key);
        if (taken !== undefined && steps.delete(key)) values.leave(taken);
      },
      leave() {
        for (const key of steps.keys()) place.freeStep(key);
        if (held > 0) histories.leave(held);
        held = 0;
      },
    };
    return place;
  }

  private expect(tool: string, bytes: number): void {
    const next = countedOf(Math.max(bytes, (this.expected.get(tool) ?? 0) * FADING));
    if (next > 0) this.expected.set(tool, next);
    else this.expected.delete(tool);
  }
}

function countedOf(bytes: number): number {
  return bytes > SMALL_BYTES ? bytes : 0;
}
