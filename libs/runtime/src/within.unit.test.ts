import { describe, expect, it } from 'vitest';
import { within } from './within.js';

const HOUR_MS = 3_600_000;
const forEver = new Promise<never>(() => undefined);
const fail = (): never => {
  throw new Error('too late');
};
const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

describe('work with a time limit', () => {
  it('comes to what it comes to, and leaves no timer', async () => {
    const before = timers();

    expect(await within(HOUR_MS, Promise.resolve('done'), fail)).toBe('done');
    await expect(within(HOUR_MS, Promise.reject(new Error('broken')), fail)).rejects.toThrow('broken');
    expect(timers()).toBe(before);
  });

  it('comes to what is said of late work when the time is over', async () => {
    expect(await within(1, forEver, () => 'late')).toBe('late');
    await expect(within(1, forEver, fail)).rejects.toThrow('too late');
  });

  it('may fail after its time without harm', async () => {
    const { promise: work, reject } = Promise.withResolvers<string>();

    expect(await within(1, work, () => 'late')).toBe('late');
    reject(new Error('broken'));
    await new Promise((resolve) => setImmediate(resolve)); // An unhandled rejection would be known by now, and fail the run.
  });
});
