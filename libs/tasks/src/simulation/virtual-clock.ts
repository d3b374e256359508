/**
 * Simulates time that stands still while code runs. It jumps to the next moment that something waits for when nothing else runs: a day of
 * sleep takes no time, and the same code always sees the same times.
 */
import { PriorityQueue } from '../replay/priority-queue.js';
import { presentStep } from '../replay/present-step.js';
import type { Timers } from '../ports/timers.js';

/** Work to do at a time, unless it is cancelled before. */
interface Alarm {
  ring: (() => void) | undefined;
}

/** A clock with timers of its own. */
export class VirtualClock implements Timers {
  private readonly startsAtMs: number;
  private timeMs: number;
  private alarms = new PriorityQueue<Alarm>();
  /** The waiter, which is mostly a step, by the function that cancels the wait. */
  private readonly waits = new Map<() => void, object>();

  /** @param startsAt epoch milliseconds, or what `Date` takes */
  constructor(startsAt: number | string | Date = '2026-01-01T00:00:00Z') {
    this.startsAtMs = new Date(startsAt).getTime();
    if (Number.isNaN(this.startsAtMs)) throw new RangeError(`A clock starts at a time; got ${String(startsAt)}.`);
    this.timeMs = this.startsAtMs;
  }

  /** The time, epoch milliseconds. */
  readonly now = (): number => this.timeMs;

  /** Milliseconds since it started. */
  get elapsedMs(): number {
    return this.timeMs - this.startsAtMs;
  }

  /**
   * Resolves when so much time has passed, which it does by itself: for steps of a test that stand for something slow. With an infinite
   * time it never resolves.
   *
   * @throws the reason of `signal` when it aborts before
   */
  async wait(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const forget = this.after(ms, resolve);
    const abort = (): void => reject(signal?.reason as Error);
    signal?.addEventListener('abort', abort, { once: true });
    this.waits.set(forget, presentStep() ?? forget);
    try {
      await promise;
    } finally {
      this.waits.delete(forget);
      forget();
      signal?.removeEventListener('abort', abort);
    }
  }

  after(delayMs: number, ring: () => void): () => void {
    const alarm: Alarm = { ring };
    this.alarms.add(alarm, this.timeMs + Math.max(0, delayMs));
    return () => {
      alarm.ring = undefined;
    };
  }

  /** How many wait; a step that waits for several times is one. */
  get waiting(): number {
    return new Set(this.waits.values()).size;
  }

  /** When the next timer rings, epoch milliseconds; infinite without one. */
  get nextAt(): number {
    for (;;) {
      const at = this.alarms.nextOrder;
      const alarm = this.alarms.take();
      if (alarm === undefined) return Number.POSITIVE_INFINITY;
      if (alarm.ring === undefined) continue;
      this.alarms.add(alarm, at);
      return at;
    }
  }

  /** Continues to a time, epoch milliseconds, and rings what is due by then, in the order of its times. */
  advanceTo(atMs: number): void {
    for (let at = this.nextAt; at <= atMs; at = this.nextAt) {
      this.timeMs = Math.max(this.timeMs, at);
      this.alarms.take()?.ring?.();
    }
    this.timeMs = Math.max(this.timeMs, atMs);
  }

  /** Abandons all waits, because the waiting worker was killed. */
  abandonWaits(): void {
    for (const forget of this.waits.keys()) forget();
    this.waits.clear();
  }

  /** Begins again where it started, without what was set. */
  restart(): void {
    this.abandonWaits();
    this.timeMs = this.startsAtMs;
    this.alarms = new PriorityQueue();
  }
}
