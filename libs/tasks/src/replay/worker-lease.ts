/** Milliseconds that no change of the time of day moves, and that are the same in all processes of a machine. */
function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}

/**
 * Knows until when a worker is sure that no other worker has been given its jobs, because it said in time that it is alive. No step starts
 * without that: a process that stood still could run a step that another worker has recorded since then.
 */
export class WorkerLease {
  #untilMs = 0;
  readonly #listeners = new Set<() => void>();
  readonly #waiting = new Set<() => void>();
  #isWaking = false;

  /** @param clock milliseconds from some moment on */
  constructor(readonly clock: () => number = monotonicMs) {}

  /** A lease that lasts for ever: for work that runs where no other worker takes jobs. */
  static forever(): WorkerLease {
    const lease = new WorkerLease();
    lease.renew(Number.POSITIVE_INFINITY);
    return lease;
  }

  get isHeld(): boolean {
    return this.clock() < this.#untilMs;
  }

  /** @param untilMs on the lease's clock */
  renew(untilMs: number): void {
    this.#untilMs = untilMs;
    for (const listener of this.#listeners) listener();
    this.#wakeNext();
  }

  /** Until when it is held, on its clock; 0 before it is renewed for the first time. */
  get untilMs(): number {
    return this.#untilMs;
  }

  /** Calls `listener` each time that the lease is renewed. @returns ends that */
  onRenewed(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Resolves when it is held, for one after the other of those who wait: what they do then may take long, and together
   * they would keep the process from saying that it is alive.
   *
   * @throws the reason of `signal` when that aborts before
   */
  async held(signal: AbortSignal): Promise<void> {
    for (;;) {
      // First, also if it is held: an abort and a renewal may come in one moment.
      signal.throwIfAborted();
      if (this.isHeld) return;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        this.#waiting.add(wake);
        signal.addEventListener('abort', wake, { once: true });
      });
    }
  }

  #wakeNext(): void {
    if (this.#waiting.size === 0 || this.#isWaking) return;
    this.#isWaking = true;
    setImmediate(() => {
      this.#isWaking = false;
      const [next] = this.#waiting;
      if (next === undefined || !this.isHeld) return;
      next();
      this.#wakeNext();
    });
  }
}
