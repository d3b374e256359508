/** The cost of a session's place on Redis. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { RedisStores } from '../support/redis-stores.js';

const stores = new RedisStores();

it.each([
  ['a caller with a token, whose name is kept as well', 'user:ada'],
  ['an address', 'address:203.0.113.7'],
])('is taken in two round trips for %s', async (_whose, account) => {
  const proxy = await stores.openProxy();
  const { sessionSlots } = await stores.connect({ url: proxy.url });
  const take = (): Promise<boolean> => sessionSlots.take(account, randomUUID(), 20);
  // From then on Redis knows the scripts.
  expect(await take()).toBe(true);
  // Occasional own work of the store increases some of them.
  const trips = new Set<number>();
  for (let count = 0; count < 10; count++) {
    const before = proxy.roundTrips();
    expect(await take()).toBe(true);
    trips.add(proxy.roundTrips() - before);
  }
  expect(Math.min(...trips)).toBe(2);
});
