/**
 * Implements the generic cell rate algorithm, by which all stores count. A name has one stored number: the time when all its permits are
 * back. Each permit that is taken moves that time by the interval in which one permit comes back. Times are whole microseconds, so that
 * sums are exact. The script for Redis has the same lines.
 */
import type { Rate, Taken } from './rate-store.js';

/** A request to a rate. */
export interface Wanted {
  readonly count: number;
  /** Whether a part is taken when not all permits are there. Otherwise a request for more than the limit counts as the limit. */
  readonly isPartly: boolean;
}

/** How many permits were taken, and when all are back after that. */
export interface Granted extends Taken {
  readonly fullAtUs: number;
}

/** In how many microseconds one permit comes back. */
export function intervalUs({ limit, perMs }: Rate): number {
  return Math.ceil((perMs * 1_000) / limit);
}

/** @param fullAtUs when all permits are back, which may be in the past */
export function grant(fullAtUs: number, nowUs: number, rate: Rate, { count, isPartly }: Wanted): Granted {
  const { limit } = rate;
  const everyUs = intervalUs(rate);
  // A time that is later than possible was counted by a larger limit, or before a clock was set back.
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
