/**
 * Knows the time of Redis, which all processes share, by the clock of the process and how far that is off. Times that one process records
 * and another compares are by this clock. A difference of less than a second is left as it is: an answer of Redis takes a part of that.
 */
import type { RedisClient } from '@longhaul/redis';

const LOOK_MS = 10_000;
const SMALL_MS = 1_000;

/** Dependencies of the clock. */
export interface RedisClockDeps {
  readonly redis: RedisClient;
  /** The clock of the process, epoch milliseconds. */
  readonly own: () => number;
  /** Called when Redis does not say what time it is; it is asked again. */
  readonly onError: (error: unknown) => void;
}

/** The time of Redis, as this process knows it. */
export class RedisClock {
  #aheadMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly deps: RedisClockDeps) {}

  /** Epoch milliseconds. */
  readonly now = (): number => this.deps.own() - this.#aheadMs;

  /** The same moment by the clock of the process, for what compares times with that. */
  readonly byOwn = (at: number): number => at + this.#aheadMs;

  /** Asks Redis now, and again all the time. */
  async start(): Promise<void> {
    await this.#look();
    this.#timer = setInterval(() => void this.#look().catch(this.deps.onError), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const { redis, own } = this.deps;
    const askedAt = own();
    const [seconds, microseconds] = await redis.time();
    const answeredAt = own();
    const now = Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
    // Redis has answered at some moment in between: the difference is at least this.
    const aheadMs = askedAt > now ? askedAt - now : Math.min(0, answeredAt - now);
    const isNearby = Math.abs(aheadMs - this.#aheadMs) < SMALL_MS;
    if (Math.abs(aheadMs) < SMALL_MS) this.#aheadMs = 0;
    else if (!isNearby) this.#aheadMs = aheadMs;
  }
}
