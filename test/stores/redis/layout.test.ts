import { connectRedisStore, RedisKeys } from '@longhaul/store-redis';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestRedis, type TestRedis } from '../../support/redis.js';

let test: TestRedis;
beforeEach(() => {
  test = openTestRedis();
});
afterEach(() => test.cleanUp());

const connect = () => connectRedisStore({ url: test.url, prefix: test.prefix, role: 'gateway', onError: () => undefined });

it('writes the version of its keys into a Redis that has none, and connects to one that has the same', async () => {
  for (let times = 0; times < 2; times++) await (await connect()).close();
  expect(await test.redis.get(new RedisKeys(test.prefix).layout())).toBe('1');
});

it('refuses a Redis with keys of another version, by a line that says what to do, and leaves it as it is', async () => {
  const layout = new RedisKeys(test.prefix).layout();
  await test.redis.set(layout, '2');
  await expect(connect()).rejects.toThrow(
    `Redis has version 2 of what Longhaul keeps under the prefix "${test.prefix}", and this Longhaul has version 1: run the Longhaul that wrote it, or set LONGHAUL_KEY_PREFIX to another prefix.`,
  );
  expect(await test.redis.keys(`${test.prefix}*`)).toEqual([layout]);
});
