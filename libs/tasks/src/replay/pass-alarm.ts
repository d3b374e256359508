import type { Timers } from '../ports/timers.js';
import { PriorityQueue } from './priority-queue.js';

/** Keeps the times of one pass with a single timer: of its durable timers, its retries, and its steps' limits. */
export class PassAlarm {
  private readonly times = new PriorityQueue<string>();
  private forget: () => void = () => undefined;
  private ringsAt = Number.POSITIVE_INFINITY;

  constructor(
    private readonly clock: () => number,
    private readonly timers: Timers,
    /** Called with a key that was set when its time has come; whether that still matters is up to it. */
    private readonly onDue: (key: string) => void,
  ) {}

  /** Has `key` called at a time, epoch milliseconds. */
  set(key: string, at: number): void {
    this.times.add(key, at);
    this.arm();
  }

  stop(): void {
    this.forget();
    this.ringsAt = Number.NEGATIVE_INFINITY;
  }

  private arm(): void {
    const at = this.times.nextOrder;
    if (at >= this.ringsAt) return;
    this.forget();
    this.ringsAt = at;
    this.forget = this.timers.after(at - this.clock(), () => this.ring());
  }

  private ring(): void {
    this.ringsAt = Number.POSITIVE_INFINITY;
    for (const now = this.clock(); this.times.nextOrder <= now;) {
      const key = this.times.take();
      if (key !== undefined) this.onDue(key);
    }
    this.arm();
  }
}
