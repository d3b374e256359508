/**
 * Makes the times that ports and events take. Every recorded, dated or queued time is a whole number of milliseconds: stores keep integers,
 * and a timer of Node drops a fraction and rings early. So ports and events take {@link Milliseconds}, which only this file makes, rounded
 * up.
 */

import { shown } from './shown.js';

declare const isWhole: unique symbol;

/** A whole number of milliseconds: how long something takes, or a date since 1970. */
export type Milliseconds = number & { readonly [isWhole]: true };

/** The longest time that may be asked for: a thousand years. A date that far ahead is one for JavaScript, SQLite and Redis still. */
export const LONGEST_MS = 1_000 * 365 * 24 * 3_600_000;

/** A time that was computed from checked times, rounded up: nothing happens early. */
export function wholeMs(ms: number): Milliseconds {
  return Math.ceil(ms) as Milliseconds;
}

/**
 * A time that an author or a client has given, rounded up.
 *
 * @param field as in `sleep "nap": ms`
 * @param least milliseconds
 * @param refusal makes the error of its message
 * @throws RangeError, or what `refusal` makes, that names the field, for a value that is not a time, negative, or too long
 */
export function durationOf(field: string, ms: number, least = 0, refusal: (message: string) => Error = rangeError): Milliseconds {
  if (typeof ms === 'number' && ms >= 0 && wholeMs(ms) >= least && ms <= LONGEST_MS) return wholeMs(ms);
  throw refusal(`${field} must be a number of milliseconds from ${least} to ${LONGEST_MS}, and is ${shown(ms)}.`);
}

function rangeError(message: string): Error {
  return new RangeError(message);
}
