import { expect, it } from 'vitest';
import { ClaimOvertaken, isClaimRecorded } from './pass-journal.js';

const signal = new AbortController().signal;

it('says that another process has claimed the pass, and passes other errors on', async () => {
  const failing = (error: Error) => ({
    record: async () => {
      throw error;
    },
  });
  expect(await isClaimRecorded({ record: async () => undefined }, signal)).toBe(true);
  expect(await isClaimRecorded(failing(new ClaimOvertaken()), signal)).toBe(false);
  await expect(isClaimRecorded(failing(new RangeError('full')), signal)).rejects.toThrow('full');
});
