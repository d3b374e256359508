/** Tests the size of an account's sessions, counted by processes that may die in between. */
import { commandConnection } from '@longhaul/redis/testing';
import { RedisSessionBytes } from '@longhaul/store-redis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestRedis, type TestRedis } from '../../support/redis.js';
import { monitorOf } from '../../support/redis-monitor.js';
import { waitUntil } from '../../support/wait-until.js';

const MAX_BYTES = 100;

let test: TestRedis;
beforeAll(() => {
  test = openTestRedis();
});
afterAll(() => test.cleanUp());

it('forgets what a process took that died before it wrote, and what a session has let go of, when the account is full', async () => {
  const bytes = new RedisSessionBytes({ redis: test.redis, maxBytes: MAX_BYTES });
  const [account, died, shrunk, kept] = ['account', 'died', 'shrunk', 'kept'].map((name) => `${test.prefix}:${name}`) as [
    string,
    string,
    string,
    string,
  ];
  expect(await bytes.take(account, died, 40)).toBe(true);
  expect(await bytes.take(account, shrunk, 40)).toBe(true);
  await test.redis.set(shrunk, 10, 'PX', 60_000);
  expect(await bytes.take(account, kept, 20)).toBe(true);
  await test.redis.set(kept, 20, 'PX', 60_000);

  expect(await bytes.take(account, kept, 70)).toBe(true);
  expect(await test.redis.hgetall(account)).toEqual({ [shrunk]: '10', [kept]: '90', total: '100' });
});

it('looks at the sessions of a full account now and then, and not for each call that is refused', async () => {
  const bytes = new RedisSessionBytes({ redis: test.redis, maxBytes: MAX_BYTES });
  const [account, session] = [`${test.prefix}:full`, `${test.prefix}:session`];
  await test.redis.set(session, MAX_BYTES, 'PX', 60_000);
  expect(await bytes.take(account, session, MAX_BYTES)).toBe(true);
  const looks = await lookUps(account, () => Promise.all(Array.from({ length: 50 }, () => bytes.take(account, session, 1))));

  expect(looks).toBeGreaterThan(0);
  expect(looks).toBeLessThan(10);
  await test.redis.del(session);
  await waitUntil(() => bytes.take(account, session, 1), { description: 'there is room' });
});

/** How often all counts of the account are read in that time. */
async function lookUps(account: string, run: () => Promise<unknown>): Promise<number> {
  const connection = commandConnection(test.adminUrl ?? test.url, 'worker');
  const monitor = await monitorOf(connection);
  let looks = 0;
  let isOver = false;
  monitor.on('monitor', (_time: string, [command, key]: string[]) => {
    if (command === 'hgetall' && key === account) looks++;
    if (command === 'exists' && key === `${account}:over`) isOver = true;
  });
  await run();
  await test.redis.exists(`${account}:over`);
  await waitUntil(() => isOver, { description: 'all commands are seen' });
  for (const each of [connection, monitor]) each.disconnect();
  return looks;
}
