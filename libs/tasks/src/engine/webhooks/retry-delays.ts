import { type Milliseconds, wholeMs } from '../../domain/milliseconds.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits between the tries of one webhook: about a day in all. */
const DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  8 * HOUR_MS,
];

/** A receiver can ask for no more than this. */
const LONGEST_ASKED_MS = HOUR_MS;

/** Part of a delay by which it is longer or shorter, so that webhooks that failed together are not tried together. */
const JITTER = 0.2;

/**
 * How long to wait for the next try. It counts tries and not time, so that a clock that is off gives nothing up too early.
 *
 * @param tries that were made and failed
 * @param askedMs what the receiver asked for
 * @returns nothing when it is given up
 */
export function retryDelay(tries: number, askedMs: number | undefined, random: () => number): Milliseconds | undefined {
  const delay = DELAYS_MS[tries - 1];
  if (delay === undefined) return undefined;
  const jittered = delay * (1 - JITTER + 2 * JITTER * random());
  return wholeMs(Math.max(jittered, Math.min(askedMs ?? 0, LONGEST_ASKED_MS)));
}
