/** Defines the possible values of a step: exactly those that JSON gives back. */
import type { Json } from '../domain/json.js';
import { MAX_STEP_VALUE_BYTES } from '../limits.js';
import { thrownText } from '../thrown-text.js';

/**
 * `T` as far as JSON can hold it, otherwise `never` in the place of what it cannot: functions, and with them
 * what has methods, such as Date and Map; bigints and symbols. Interfaces and optional members will do.
 * `unknown` passes, and is checked when the step runs.
 */
export type Recordable<T> = unknown extends T
  ? T
  : T extends Json | undefined | void
    ? T
    : T extends bigint | symbol | ((...args: never) => unknown)
      ? never
      : { [K in keyof T]: Recordable<T[K]> };

/** Deeper values are refused, also because they may be circular. */
const MAX_DEPTH = 500;

/**
 * Why a value cannot be recorded or sent as it is, as in `value.at is a Date`; nothing when it can.
 *
 * @param value anything, also what cannot be read
 * @param maxValues that it may have: each takes a byte at least. Members that are there several times count each time
 */
export function notJson(value: unknown, maxValues: number = MAX_STEP_VALUE_BYTES): string | undefined {
  try {
    const why = whyUnrecordable(value, { left: maxValues, most: maxValues });
    return why === undefined ? undefined : `value${why}`;
  } catch (error) {
    // A getter or a `toJSON` that throws.
    return `value cannot be read: ${thrownText(error)}`;
  }
}

/** The end of what is said of too many. */
const VALUES = 'values';

/** How many values may still be looked at. */
interface Values {
  left: number;
  readonly most: number;
}

/**
 * Finds what JSON would drop or turn into something else. Members that are `undefined` are dropped by everybody,
 * and so they may be there; what has a `toJSON` of its own says itself what it is, except for a Date.
 *
 * @returns such as `.at.time is a Date`; nothing when the value can be recorded
 */
function whyUnrecordable(value: unknown, values: Values, depth = 0): string | undefined {
  values.left -= 1;
  if (values.left < 0) return ` has more than ${values.most} ${VALUES}`;
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? undefined : ` is ${value}`;
    case 'bigint':
    case 'function':
    case 'symbol':
      return ` is a ${typeof value}`;
    case 'object':
      return value === null ? undefined : whyObjectUnrecordable(value, values, depth);
    default:
      return undefined;
  }
}

function whyObjectUnrecordable(value: object, values: Values, depth: number): string | undefined {
  if (depth > MAX_DEPTH) return ` is nested deeper than ${MAX_DEPTH} levels, or circular`;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const why = whyUnrecordable(item, values, depth + 1);
      if (why !== undefined) return atPlace(`[${index}]`, why, depth);
    }
    return undefined;
  }
  if (!(value instanceof Date) && 'toJSON' in value && typeof value.toJSON === 'function')
    return whyUnrecordable((value.toJSON as () => unknown)(), values, depth + 1);
  if (!isPlain(value)) return ` is a ${value.constructor.name}`;
  for (const [name, member] of Object.entries(value)) {
    const why = whyUnrecordable(member, values, depth + 1);
    if (why !== undefined) return atPlace(`.${name}`, why, depth);
  }
  return undefined;
}

/** A circular value has no place that would be worth its name. */
function atPlace(place: string, why: string, depth: number): string {
  return (why.includes('circular') && depth > 0) || why.endsWith(VALUES) ? why : place + why;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm has another Object.prototype, above which there is nothing either.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
