import { randomUUID } from 'node:crypto';
import { gatewayKeys } from '@longhaul/store-redis';
import { createRedisSessionStore, sharedSecret } from '@longhaul/store-redis/testing';
import type { NewSession, SessionStore } from '@longhaul/sessions/gateway';
import { UNLIMITED } from '@longhaul/tasks/testing';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestRedis, type TestRedis } from '../../support/redis.js';
import { waitUntil } from '../../support/wait-until.js';

const IDLE_MS = 60_000;
let server: TestRedis;

beforeAll(() => {
  server = openTestRedis();
});
afterAll(() => server.cleanUp());

/** With the clock of gateways, which is not the time of day. */
function redisStore(idleMs = IDLE_MS): SessionStore {
  const clock = (): number => performance.now();
  return createRedisSessionStore({ redis: server.redis, keys: gatewayKeys(server.prefix), capacity: UNLIMITED, clock, idleMs });
}

function newSession(): NewSession {
  const client = { capabilities: { elicitation: {}, 'x-own': { deep: [1] } }, name: 'ünïcode', version: '1' };
  return { id: randomUUID(), owner: 'session:1', protocolVersion: '2025-11-25', client };
}

describe('sessions in Redis', () => {
  it('expire when nobody used them for their idle time', async () => {
    const session = newSession();
    await redisStore(30).create(session);

    const key = gatewayKeys(server.prefix).session(session.id);
    await waitUntil(async () => (await server.redis.exists(key)) === 0, { description: 'the session has expired' });
    expect(await redisStore().load(session.id)).toBeUndefined();
  });

  it('last longer by being used at any gateway', async () => {
    const session = newSession();
    await redisStore(1_000).create(session);
    await redisStore(IDLE_MS).load(session.id);

    await waitUntil(async () => (await server.redis.pttl(gatewayKeys(server.prefix).session(session.id))) > 1_000, {
      description: 'the expiry was pushed back',
    });
  });

  it('leave nothing without an expiry', async () => {
    const store = redisStore();
    await store.create(newSession());

    expect(await server.keysWithoutTtl()).toEqual([]);
  });

  it('are unavailable, not missing, when Redis is away', async () => {
    const redis = new Redis(server.url, { lazyConnect: true, enableOfflineQueue: false });
    const store = createRedisSessionStore({
      redis,
      keys: gatewayKeys(server.prefix),
      capacity: UNLIMITED,
      clock: Date.now,
      idleMs: IDLE_MS,
    });
    const session = newSession();
    const attempts = [store.create(session), store.load(session.id), store.touch(session.id), store.end(session.id)];
    const results = await Promise.allSettled([...attempts, store.setLogLevel(session.id, 'info')]);
    redis.disconnect();

    for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: { code: 'STORE_UNAVAILABLE' } });
  });
});

describe('the secret', () => {
  it('is drawn once and then shared by all gateways', async () => {
    const keys = gatewayKeys(`${server.prefix}:own`);
    const secrets = await Promise.all([1, 2, 3].map(() => sharedSecret(server.redis, keys)));

    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toMatch(/^[\w-]{43}$/);
    expect(await server.redis.ttl(keys.secret)).toBe(-1);
  });
});
