import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { wholeMs } from '../domain/milliseconds.js';
import type { CallbackStore } from '../ports/callback-store.js';
import type { ContractStore } from './contract-store.js';
import { opening } from './opening.js';
import { waitUntil } from './wait-until.js';

/** How addresses for signals are kept on every store. */
export function callbackStoreContract({ name, open }: ContractStore): void {
  describe(`addresses for signals in ${name}`, () => {
    let callbacks: CallbackStore;
    beforeEach(opening(open, ({ store }) => ({ callbacks } = store)));

    it('are found under their digest, each by itself', async () => {
      const [one, other] = [randomUUID(), randomUUID()];
      await callbacks.put(one, 'ä "first"', wholeMs(60_000));
      await callbacks.put(other, 'second', wholeMs(60_000));
      expect(await callbacks.get(one)).toBe('ä "first"');
      expect(await callbacks.get(other)).toBe('second');
      expect(await callbacks.get(randomUUID())).toBeUndefined();
    });

    it('are gone when their time is over', async () => {
      const digest = randomUUID();
      await callbacks.put(digest, 'text', wholeMs(20));
      await waitUntil(async () => (await callbacks.get(digest)) === undefined, { description: 'the address is gone' });
    });
  });
}
