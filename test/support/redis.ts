/**
 * Provides Redis for integration tests. Each test file gets its own random key prefix and removes its keys at the end. So files may run at
 * the same time on one server.
 */
import { randomBytes } from 'node:crypto';
import type { RedisClient } from '@longhaul/redis';
import { clusterAddress } from '@longhaul/redis/address';
import { commandCluster, commandConnection } from '@longhaul/redis/testing';
import { Cluster } from 'ioredis';

/** Where a Redis is. */
export interface RedisLocation {
  readonly url: string;
  readonly cluster: boolean;
  /** The address with which tests inspect Redis, if the user of `url` may not see enough. */
  readonly adminUrl?: string | undefined;
}

/** A server, and a part of its key space for one test file. */
export interface TestRedis extends RedisLocation {
  readonly prefix: string;
  /** A connection of the test's own, to look at keys. */
  readonly redis: RedisClient;
  /** Keys of the prefix that match a pattern after it, looked for without holding the server up. */
  keys(pattern: string): Promise<string[]>;
  /** Keys of the prefix that would stay for ever, but for those that are permanent by design. */
  keysWithoutTtl(): Promise<string[]>;
  /** Removes every key of the prefix and closes the connection. */
  cleanUp(): Promise<void>;
}

/** The server that the test runner started. @throws Error when there is none: such tests never skip. */
function testRedis(): RedisLocation {
  const url = process.env['LONGHAUL_TEST_REDIS_URL'];
  if (url === undefined || url === '')
    throw new Error('LONGHAUL_TEST_REDIS_URL is not set: integration tests need a Redis, such as redis://127.0.0.1:6379.');
  return { url, cluster: false, adminUrl: process.env['LONGHAUL_TEST_REDIS_ADMIN_URL'] };
}

/** Opens a part of the key space. @param location the server of the test runner unless another one is named */
export function openTestRedis({ url, cluster, adminUrl = url }: RedisLocation = testRedis()): TestRedis {
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const redis = cluster ? commandCluster(clusterAddress(adminUrl), 'worker') : commandConnection(adminUrl, 'worker');
  return {
    url,
    cluster,
    adminUrl,
    prefix,
    redis,
    keys: (pattern) => keysOf(redis, `${prefix}:${pattern}`),
    keysWithoutTtl: () => keysWithoutTtl(redis, prefix),
    cleanUp: async () => {
      for (const pattern of patternsOf(prefix)) {
        const keys = await keysOf(redis, pattern);
        // One by one, because on a cluster they are in different slots.
        await Promise.all(keys.map((key) => redis.del(key)));
      }
      await redis.quit();
    },
  };
}

/**
 * Keys under the prefix without a TTL, except permanent ones. Permanent are the version of the layout, the agenda, schedules, the rows and
 * the audit log of operators, the shared secret, the hashes of lists, the data keys, and BullMQ's own keys.
 */
async function keysWithoutTtl(redis: RedisClient, prefix: string): Promise<string[]> {
  const keys = await keysOf(redis, `${prefix}:*`);
  const ttls = await Promise.all(keys.map((key) => redis.pttl(key)));
  const permanent = new Set([`${prefix}:layout`, `${prefix}:secret`, `${prefix}:lists`, `${prefix}:data-keys`]);
  const lasts = [`${prefix}:unfinished:`, `${prefix}:{rows:`, `${prefix}:{audit-`, `${prefix}:{schedules}:`];
  return keys.filter((key, index) => ttls[index] === -1 && !lasts.some((start) => key.startsWith(start)) && !permanent.has(key));
}

function patternsOf(prefix: string): string[] {
  return [`${prefix}:*`, `{${prefix}}:*`, `{${prefix}:*`];
}

async function keysOf(redis: RedisClient, pattern: string): Promise<string[]> {
  if (redis.status === 'wait') await redis.connect();
  const found = new Set<string>();
  for (const server of redis instanceof Cluster ? redis.nodes('master') : [redis])
    for await (const batch of server.scanStream({ match: pattern, count: 1000 })) for (const key of batch as string[]) found.add(key);
  return [...found];
}
