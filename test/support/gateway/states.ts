/** What gateways share, on each adapter. */
import { connectRedisStore } from '@longhaul/store-redis';
import type { GatewayState } from '@longhaul/sessions/gateway';
import { openSqliteStore } from '@longhaul/store-sqlite';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { RedisCluster } from '../redis-cluster.js';
import { openTestRedis, type TestRedis } from '../redis.js';
import { TestFolder } from '../test-folder.js';

/** Shared state, open. */
interface OpenState {
  readonly state: GatewayState;
  /** Keys that would stay for ever. */
  keysWithoutTtl(): Promise<string[]>;
  close(): Promise<void>;
}

/** A cluster takes its time to start. */
const OPEN_MS = 60_000;
const IDLE_MS = 3_600_000;

const states: readonly { readonly name: string; open(): Promise<OpenState> }[] = [
  {
    name: 'SQLite',
    async open() {
      const folder = new TestFolder();
      const backend = await openSqliteStore({ path: folder.dataFile, sessionTtlMs: IDLE_MS, onError: () => undefined });
      return {
        state: backend.gateway,
        keysWithoutTtl: () => Promise.resolve([]),
        close: async () => {
          await backend.close();
          folder.remove();
        },
      };
    },
  },
  { name: 'Redis', open: () => openOnRedis(openTestRedis()) },
  {
    name: 'a Redis Cluster',
    async open() {
      const cluster = await RedisCluster.start();
      const { close, ...opened } = await openOnRedis(openTestRedis(cluster.location));
      return {
        ...opened,
        close: async () => {
          await close();
          await cluster.close();
        },
      };
    },
  },
];

/** Declares tests of a store for each adapter. None of them may leave a key that would stay for ever. */
export function describeStates(what: string, declare: (state: () => GatewayState) => void): void {
  describe.each(states)(`${what} in $name`, ({ open }) => {
    let opened: OpenState;
    beforeAll(async () => {
      opened = await open();
    }, OPEN_MS);
    afterAll(async () => {
      expect(await opened.keysWithoutTtl()).toEqual([]);
      await opened.close();
    });
    declare(() => opened.state);
  });
}

async function openOnRedis(test: TestRedis): Promise<OpenState> {
  const { url, cluster, prefix } = test;
  const backend = await connectRedisStore({ url, cluster, prefix, role: 'gateway', sessionTtlMs: IDLE_MS, onError: () => undefined });
  return {
    state: backend.gateway,
    keysWithoutTtl: () => test.keysWithoutTtl(),
    close: async () => {
      await backend.close();
      await test.cleanUp();
    },
  };
}
