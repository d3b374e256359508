import type { Clock } from '@longhaul/tasks';
import { grant, intervalUs, type Wanted } from '../../gateway/gcra.js';
import type { Rate, Rated, RateStore, Taken } from '../../gateway/rate-store.js';

/** Names that are counted before those are dropped that have everything back. */
const SWEPT_AT = 10_000;

/** Counts within one process. */
export class MemoryRateStore implements RateStore {
  /** By name, when all that it has taken will be back, microseconds. */
  readonly #fullAt = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  async take(rated: Rated, count: number, rate: Rate): Promise<number> {
    return this.#grant(rated, rate, { count, isPartly: false }).retryAfterMs;
  }

  async takeSome(rated: Rated, count: number, rate: Rate): Promise<Taken> {
    return this.#grant(rated, rate, { count, isPartly: true });
  }

  async giveBack({ what, account }: Rated, count: number, rate: Rate): Promise<void> {
    const name = `${what} ${account}`;
    const fullAt = this.#fullAt.get(name);
    if (fullAt !== undefined) this.#fullAt.set(name, fullAt - count * intervalUs(rate));
  }

  #grant({ what, account }: Rated, rate: Rate, wanted: Wanted): Taken {
    const name = `${what} ${account}`;
    const now = this.clock() * 1_000;
    const { fullAtUs, ...taken } = grant(this.#fullAt.get(name) ?? 0, now, rate, wanted);
    if (taken.taken === 0) return taken;
    if (this.#fullAt.size >= SWEPT_AT) for (const [other, at] of this.#fullAt) if (at <= now) this.#fullAt.delete(other);
    this.#fullAt.set(name, fullAtUs);
    return taken;
  }
}
