/** Runs a function for many items, some of them at a time: see `FlowContext.all`. */
import { shown } from '../domain/shown.js';
import { TaskError } from '../errors.js';
import { optionsOf, requireFunction } from '../given.js';
import type { AllOptions } from './flow-context.js';
import { escaped, type OperationKeys } from './operation-keys.js';

const DEFAULT_CONCURRENCY = 10;
const MAX_CONCURRENCY = 1_000;
const MAX_KEY_LENGTH = 128;

/** The options of `all`. */
export type ItemOptions<T> = AllOptions<T> & { readonly settle?: boolean };

const MEMBERS = ['concurrency', 'name', 'key', 'settle'] as const;

/** @throws the first failure, unless failures are settled; TaskError `INVALID_KEY` */
export async function runItems<T>(
  keys: OperationKeys,
  given: Iterable<T>,
  run: (item: T, index: number) => unknown,
  options: ItemOptions<T> | undefined,
): Promise<unknown[]> {
  const { concurrency = DEFAULT_CONCURRENCY, name = 'all', key, settle = false } = optionsOf('all', options, MEMBERS);
  if (!isIterable(given))
    throw new TaskError('INVALID_KEY', `all: the items must be an array or another iterable, and are ${shown(given)}.`);
  requireFunction('all', 'run', run);
  if (key !== undefined) requireFunction('all', 'key', key);
  const items = [...given];
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MAX_CONCURRENCY)
    throw new TaskError(
      'INVALID_KEY',
      `all: concurrency must be a whole number from 1 to ${MAX_CONCURRENCY}, and is ${shown(concurrency)}.`,
    );
  keys.check('all', name);
  if (name.includes('[')) throw new TaskError('INVALID_KEY', `all: a name has no "[", and is ${JSON.stringify(name)}.`);
  const scope = keys.scope('all', name);
  const labels = key === undefined ? undefined : labelsOf(items, key);
  const results: unknown[] = [];
  results.length = items.length;
  let begun = 0;
  const failures: unknown[] = [];
  const runOne = async (index: number): Promise<void> => {
    try {
      const value = await keys.within(`${scope}[${labels?.[index] ?? index}]`, async () => run(items[index] as T, index));
      results[index] = settle ? { status: 'fulfilled', value } : value;
    } catch (reason) {
      if (settle) results[index] = { status: 'rejected', reason };
      else failures.push(reason);
    }
  };
  const runOneAfterTheOther = async (): Promise<void> => {
    for (let index = begun++; index < items.length && failures.length === 0; index = begun++) await runOne(index);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, runOneAfterTheOther));
  if (failures.length > 0) throw failures[0];
  return results;
}

function isIterable(given: unknown): boolean {
  return given !== undefined && given !== null && Symbol.iterator in Object(given);
}

function labelsOf<T>(items: readonly T[], key: (item: T, index: number) => string | number): readonly string[] {
  const firstOf = new Map<string, number>();
  return items.map((item, index) => {
    const given: unknown = key(item, index);
    const label = typeof given === 'number' ? String(given) : given;
    if (typeof label !== 'string' || label === '' || label.length > MAX_KEY_LENGTH)
      throw new TaskError(
        'INVALID_KEY',
        `all: the key of item ${index} must be a number or a text of 1 to ${MAX_KEY_LENGTH} characters, and is ${shown(given)}.`,
      );
    const first = firstOf.get(label);
    if (first !== undefined)
      throw new TaskError('INVALID_KEY', `all: items ${first} and ${index} have the same key ${JSON.stringify(label)}.`);
    firstOf.set(label, index);
    return escaped(label);
  });
}
