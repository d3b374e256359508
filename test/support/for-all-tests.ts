import { afterAll, beforeAll } from 'vitest';

/**
 * Makes a value before all tests of the calling file or `describe`, and ends it after them.
 *
 * @param limitMs how long the making may take, if it differs from the limit of all hooks
 * @returns stands for the value: tests and later hooks may use it
 */
export function forAllTests<Made extends object>(make: () => Promise<Made>, end: (made: Made) => Promise<void>, limitMs?: number): Made {
  let made: Made | undefined;
  beforeAll(async () => {
    made = await make();
  }, limitMs);
  afterAll(async () => {
    if (made !== undefined) await end(made);
  });
  return new Proxy({} as Made, {
    get(_target, key) {
      if (made === undefined) throw new Error(`"${String(key)}" is there from the first test or a later hook on.`);
      return Reflect.get(made, key) as unknown;
    },
  });
}
