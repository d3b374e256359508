/**
 * Decides when an observed thread has been blocked for too long, from looks at its counter. Time counts only if the observing thread ran in
 * it as well: after a SIGSTOP, or the sleep of a laptop, both threads have missed the same time.
 */
export class Standstill {
  private lastCount = -1;
  private lastLookAt: number;
  private stoodMs = 0;

  /**
   * @param limitMs how long the counter may stay the same
   * @param everyMs how often `look` is called
   */
  constructor(
    private readonly limitMs: number,
    private readonly everyMs: number,
    now: number,
  ) {
    this.lastLookAt = now;
  }

  /** @returns whether the counter has stayed the same for too long */
  look(count: number, now: number): boolean {
    const passedMs = Math.min(now - this.lastLookAt, 2 * this.everyMs);
    this.lastLookAt = now;
    this.stoodMs = count === this.lastCount ? this.stoodMs + passedMs : 0;
    this.lastCount = count;
    return this.stoodMs >= this.limitMs;
  }
}
