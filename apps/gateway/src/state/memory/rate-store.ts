import type { Clock } from '@longhaul/tasks';
import type { Rate, Rated, RateStore } from '../rate-store.js';

/** Names that are counted before those are dropped that have everything back. */
const SWEPT_AT = 10_000;

/** Counts within one process. */
export class MemoryRateStore implements RateStore {
  /** By name, when all that it has taken will be back. */
  readonly #fullAt = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  async take({ what, account }: Rated, count: number, { limit, perMs }: Rate): Promise<number> {
    const name = `${what} ${account}`;
    const now = this.clock();
    const next = Math.max(this.#fullAt.get(name) ?? 0, now) + (Math.min(count, limit) * perMs) / limit;
    if (next - now > perMs) return Math.ceil(next - now - perMs);
    if (this.#fullAt.size >= SWEPT_AT) for (const [other, at] of this.#fullAt) if (at <= now) this.#fullAt.delete(other);
    this.#fullAt.set(name, next);
    return 0;
  }
}
