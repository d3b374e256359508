import { createHash, randomUUID } from 'node:crypto';
import { ownerOfSubject, ownerOfUser, wholeMs } from '@longhaul/tasks';
import { opening, waitUntil } from '@longhaul/tasks/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SessionSlots } from '../ports/session-slots.js';
import type { SessionContractStore } from './contract-store.js';

const DAY_MS = 24 * 3_600_000;
/** The clocks of stores and of tests may differ by this much. */
const CLOCKS_MS = 2_000;

/** Declares the contract of session places on every store. */
export function sessionSlotsContract({ name, open }: SessionContractStore): void {
  describe(`places of sessions in ${name}`, () => {
    let places: SessionSlots;
    beforeAll(opening(open, ({ store }) => (places = store.sessionSlots)));

    const someAccount = (): string => ownerOfUser(randomUUID());
    const taken = async (account: string): Promise<string> => {
      const id = randomUUID();
      expect(await places.take(account, id, 100)).toBe(true);
      return id;
    };
    const accounts = async (): Promise<ReadonlySet<string>> => {
      const found = new Set<string>();
      for await (const account of places.accounts()) found.add(account);
      return found;
    };

    it('are as many as the limit says, beside each other, and of one account', async () => {
      const account = randomUUID();
      const answers = await Promise.all(Array.from({ length: 12 }, () => places.take(account, randomUUID(), 5)));
      expect(answers.filter(Boolean)).toHaveLength(5);
      expect(await places.take(randomUUID(), randomUUID(), 5)).toBe(true);
    });

    it('are free again when they are released, and when their time is over', async () => {
      const [account, first, second] = [randomUUID(), randomUUID(), randomUUID()];
      await places.take(account, first, 2);
      await places.take(account, second, 2);
      expect(await places.take(account, randomUUID(), 2)).toBe(false);
      await places.release(first);
      await places.release(first);
      await places.keep(first, wholeMs(60_000));
      expect(await places.take(account, randomUUID(), 2)).toBe(true);
      expect(await places.take(account, randomUUID(), 2)).toBe(false);
      await places.keep(second, wholeMs(20));
      await waitUntil(() => places.take(account, randomUUID(), 2), { description: 'the time of the second is over' });
    });

    it('show who has which sessions open, without what would let anybody use them', async () => {
      const account = someAccount();
      const from = Date.now();
      const [first, second] = [await taken(account), await taken(account)];
      await taken(someAccount());
      await places.keep(first, wholeMs(DAY_MS + 60_000));
      const { count, sessions } = await places.openOf(account, 10);
      expect(count).toBe(2);
      expect(sessions.map(({ session }) => session)).toEqual([first, second].map(shortHash));
      for (const { openedAt, expiresAt } of sessions) {
        expect(openedAt).toBeGreaterThan(from - CLOCKS_MS);
        expect(openedAt).toBeLessThan(Date.now() + CLOCKS_MS);
        expect(expiresAt - from).toBeGreaterThan(DAY_MS - CLOCKS_MS);
      }
      expect(await places.openOf(account, 1)).toEqual({ count: 2, sessions: sessions.slice(0, 1) });
      expect(await places.openOf(account, 0)).toEqual({ count: 2, sessions: [] });
    });

    it('are not shown when they are free, and others of the account last as long as they did', async () => {
      const account = someAccount();
      const [ended, expiring, lasting] = [await taken(account), await taken(account), await taken(account)];
      await places.release(ended);
      await places.keep(expiring, wholeMs(20));
      const left = await waitUntil(
        async () => {
          const open = await places.openOf(account, 10);
          return open.count === 1 && open;
        },
        { description: 'one is left' },
      );
      expect(left).toMatchObject({ sessions: [{ session: shortHash(lasting), openedAt: expect.any(Number) as number }] });
    });

    it('name the accounts that tokens stand for, and no others', async () => {
      const named = [someAccount(), ownerOfSubject({ issuer: 'https://login.example.com', tenant: 'acme', name: randomUUID() })];
      const nameless = [`address:${randomUUID()}`, `secret:${randomUUID()}`, `session:${randomUUID()}`];
      for (const account of [...named, ...nameless]) await places.keep(await taken(account), wholeMs(DAY_MS));
      const found = await accounts();
      expect([...named, ...nameless].filter((account) => found.has(account))).toEqual(named);
      for (const account of nameless) expect(await places.openOf(account, 0)).toMatchObject({ count: 1 });
    });

    it('name as many accounts as there are', async () => {
      const all = Array.from({ length: 2_500 }, someAccount);
      await Promise.all(all.map((account) => taken(account)));
      const found = await accounts();
      expect(all.filter((account) => !found.has(account))).toEqual([]);
    });
  });
}

/** The form that traces have. */
function shortHash(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 12);
}
