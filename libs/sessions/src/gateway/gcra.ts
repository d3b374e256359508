/**
 * The generic cell rate algorithm, by which all stores count: of a name is known only when it has back all that it has taken, and
 * each that is taken puts that off by the time in which one comes back. Times are whole microseconds, so that sums are exact. The
 * script for Redis has the same lines.
 */
import type { Rate, Taken } from './rate-store.js';

/** What is asked of a rate. */
export interface Wanted {
  readonly count: number;
  /** Whether some are taken when not all of them are there. Otherwise more than the limit counts as the limit. */
  readonly isPartly: boolean;
}

/** What was taken, and when everything is back after that. */
export interface Granted extends Taken {
  readonly fullAtUs: number;
}

/** In how many microseconds one comes back. */
export function intervalUs({ limit, perMs }: Rate): number {
  return Math.ceil((perMs * 1_000) / limit);
}

/** @param fullAtUs when everything is back, which may be in the past */
export function grant(fullAtUs: number, nowUs: number, rate: Rate, { count, isPartly }: Wanted): Granted {
  const { limit } = rate;
  const everyUs = intervalUs(rate);
  // What is later than it can be was counted by a larger limit, or before a clock was set back.
  const latestUs = nowUs + limit * everyUs;
  const from = fullAtUs > latestUs ? nowUs : Math.max(fullAtUs, nowUs);
  const room = Math.floor((latestUs - from) / everyUs);
  const wanted = isPartly ? count : Math.min(count, limit);
  if (room >= wanted) return { taken: wanted, retryAfterMs: 0, fullAtUs: from + wanted * everyUs };
  const taken = isPartly ? room : 0;
  const next = from + taken * everyUs;
  const missing = isPartly ? 1 : wanted;
  return { taken, retryAfterMs: Math.ceil((next + missing * everyUs - latestUs) / 1_000), fullAtUs: next };
}
