/** What a place of a session costs on Redis. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { RedisBackends } from './redis-backends.js';

const LINE_MS = 200;

const backends = new RedisBackends();

it.each([
  ['a caller with a token, whose name is kept as well', 'user:ada'],
  ['an address', 'address:203.0.113.7'],
])('is taken in two round trips for %s', async (_whose, account) => {
  const proxy = await backends.openProxy();
  const { sessionPlaces } = await backends.connect({ url: proxy.url });
  const take = (): Promise<boolean> => sessionPlaces.take(account, randomUUID(), 10);
  // From then on Redis knows the scripts.
  expect(await take()).toBe(true);
  proxy.delayReplies(LINE_MS);
  const from = performance.now();
  expect(await take()).toBe(true);
  expect(performance.now() - from).toBeLessThan(2.8 * LINE_MS);
});
