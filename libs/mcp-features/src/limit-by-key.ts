/** Checks and reads the limits of a tool's definition. */
import { argumentAt, type LimitByKey, type LimitOfKey } from '@longhaul/tasks';
import type { LimitByKeyOptions } from './tool.js';

/** The most tasks of one key that may begin in a second, and the fewest: one in a day. */
const MOST_PER_SECOND = 1_000;
const LEAST_PER_SECOND = 1 / 86_400;
const MEMBERS: ReadonlySet<string> = new Set<keyof LimitByKeyOptions>(['key', 'maxRunning', 'perSecond']);

/** @throws TypeError that names the limit and its member */
export function requireLimitByKey(what: string, limit: LimitByKeyOptions | undefined): void {
  if (limit === undefined) return;
  const unknown = Object.keys(limit).find((member) => !MEMBERS.has(member));
  if (unknown !== undefined) throw new TypeError(`${what} has the unknown member ${JSON.stringify(unknown)}.`);
  const { key, maxRunning, perSecond } = limit;
  if (typeof key !== 'function' && (typeof key !== 'string' || key.split('.').includes('')))
    throw new TypeError(`${what}.key must be a function or the path of an argument, such as "customer.id", and is ${JSON.stringify(key)}.`);
  if (maxRunning === undefined && perSecond === undefined) throw new TypeError(`${what} must have maxRunning or perSecond.`);
  requireMaxRunning(`${what}.maxRunning`, maxRunning);
  if (perSecond !== undefined && !(perSecond >= LEAST_PER_SECOND && perSecond <= MOST_PER_SECOND))
    throw new TypeError(`${what}.perSecond must be a number from 1/86400 to ${MOST_PER_SECOND}, and is ${perSecond}.`);
}

/** @throws TypeError that names it */
export function requireMaxRunning(what: string, maxRunning: number | undefined): void {
  if (maxRunning !== undefined && !(Number.isSafeInteger(maxRunning) && maxRunning >= 1))
    throw new TypeError(`${what} must be a whole number from 1, and is ${maxRunning}.`);
}

/** The limit as workers hold it. */
export function limitByKey({ key, ...limit }: LimitByKeyOptions): LimitByKey {
  return { ...(limit satisfies LimitOfKey), key: typeof key === 'function' ? key : (args) => argumentAt(args, key) };
}
