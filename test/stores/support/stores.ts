/** The stores that every contract is checked on. */
import { openSqliteStore } from '@longhaul/store-sqlite';
import { connectRedisStore, RedisKeys } from '@longhaul/store-redis';
import { checkSessionContracts, type SessionContractStore } from '@longhaul/sessions/testing';
import type { EncryptionKeys, TaskStore, TaskId, TaskReader } from '@longhaul/tasks';
import { checkTaskContracts } from '@longhaul/tasks/testing';
import { ENCRYPTION, encryptionOf } from '../../support/encryption.js';
import { openTestRedis, type RedisLocation } from '../../support/redis.js';
import { TestFolder } from '../../support/test-folder.js';

/** Short, so that a test sees a lost job come back; long enough for a busy machine to renew the locks of those that live. */
export const SHORT_LOCK_TIMES = { lockDurationMs: 3_000, stalledIntervalMs: 100 };
const LONG_LOCK_TIMES = { ...SHORT_LOCK_TIMES, lockDurationMs: 30_000 };

/** Short, so that a test sees a worker die of silence; the same holds. */
const SHORT_WORKER_TIMES = { beatMs: 50, deadAfterMs: 3_000 };

/** A clock that can be ahead, by which it is seen how long a task is kept. */
class AheadClock {
  #aheadMs = 0;

  readonly now = (): number => Date.now() + this.#aheadMs;

  readonly isKeptFor =
    ({ events }: Pick<TaskStore, 'events'>) =>
    async (taskId: TaskId, ms: number, reader?: TaskReader): Promise<boolean> => {
      this.#aheadMs = ms;
      const [view] = await events.views([taskId], reader);
      this.#aheadMs = 0;
      return view !== undefined;
    };
}

const sqliteWith = (name: string, encryption?: EncryptionKeys): SessionContractStore => ({
  name,
  isEncrypted: encryption !== undefined,
  async open({ accountSessionBytes, areLocksLong } = {}) {
    const folder = new TestFolder();
    const errors: unknown[] = [];
    const clock = new AheadClock();
    const store = await openSqliteStore({
      path: folder.dataFile,
      clock: clock.now,
      encryption,
      ...(accountSessionBytes !== undefined && { accountSessionBytes }),
      lockTimes: areLocksLong === true ? LONG_LOCK_TIMES : SHORT_LOCK_TIMES,
      workerTimes: SHORT_WORKER_TIMES,
      onError: (error) => errors.push(error),
    });
    const close = async (): Promise<void> => {
      await store.close();
      folder.remove();
    };
    return { store, errors, isKeptFor: clock.isKeptFor(store), close };
  },
});

/** @param location asked for when a store is opened; the server of the test runner when it is absent */
export function redisAt(name: string, location?: () => RedisLocation, encryption = ENCRYPTION): SessionContractStore {
  return {
    name,
    isEncrypted: encryption !== undefined,
    async open({ accountSessionBytes, areLocksLong } = {}) {
      const test = openTestRedis(location?.());
      const keys = new RedisKeys(test.prefix);
      const errors: unknown[] = [];
      const store = await connectRedisStore({
        url: test.url,
        cluster: test.cluster,
        prefix: test.prefix,
        role: 'gateway',
        encryption,
        ...(accountSessionBytes !== undefined && { accountSessionBytes }),
        lockTimes: areLocksLong === true ? LONG_LOCK_TIMES : SHORT_LOCK_TIMES,
        workerTimes: SHORT_WORKER_TIMES,
        onError: (error) => errors.push(error),
      });
      return {
        store,
        errors,
        isKeptFor: async (taskId, ms, reader = 'client') => {
          const isThere = async (key: string): Promise<boolean> => {
            const left = await test.redis.pttl(key);
            return left === -1 || left > ms;
          };
          const hasView = (await isThere(keys.view(taskId))) || (reader === 'operator' && (await isThere(keys.keptView(taskId))));
          return hasView && isThere(keys.events(taskId));
        },
        close: async () => {
          await store.close();
          await test.cleanUp();
        },
      };
    },
  };
}

export const sqlite = sqliteWith('SQLite', ENCRYPTION);
export const encryptedSqlite = sqliteWith('SQLite, encrypted', encryptionOf());
export const encryptedRedis = redisAt('Redis, encrypted', undefined, encryptionOf());

/** The stores that need no more than the test runner has. */
export const stores: readonly SessionContractStore[] = [sqlite, redisAt('Redis')];

/** Declares the tests of all contracts for a store. */
export function checkContracts(store: SessionContractStore): void {
  checkTaskContracts(store);
  checkSessionContracts(store);
}
