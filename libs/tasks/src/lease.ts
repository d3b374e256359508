/** Milliseconds that no change of the time of day moves, and that are the same in all processes of a machine. */
function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}

/**
 * Until when a worker is sure that nobody else has been given its jobs, because it said in time that it is alive. No step
 * starts without that: a process that stood still could run one that another worker has recorded meanwhile.
 */
export class Lease {
  #untilMs = 0;
  readonly #listeners = new Set<() => void>();

  /** @param clock milliseconds from some moment on */
  constructor(readonly clock: () => number = monotonicMs) {}

  /** A lease that lasts for ever: of what runs where nobody else takes jobs. */
  static forever(): Lease {
    const lease = new Lease();
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

  /** Resolves when it is held. @throws the reason of `signal` when that aborts before */
  async held(signal: AbortSignal): Promise<void> {
    while (!this.isHeld) {
      signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        const stop = this.onRenewed(next);
        signal.addEventListener('abort', next, { once: true });
        function next(): void {
          stop();
          signal.removeEventListener('abort', next);
          resolve();
        }
      });
    }
  }
}
