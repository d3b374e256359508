/** A store with little room, a Redis or a data file, each as it is in a deployment. */
import { DatabaseSync } from 'node:sqlite';
import { inject } from 'vitest';
import { ChaosRedis } from '../../../support/chaos-redis.js';
import { TestFolder } from '../../../support/test-folder.js';

const REDIS_MIB = 64;
const FILE_MIB = 32;
const MIB = 1_048_576;

export interface LimitedStore {
  /** The settings by which processes find it, with its limit. */
  readonly env: Readonly<Record<string, string>>;
  readonly maxMib: number;
  /** For files of the test. */
  readonly folder: string;
  /** What the log says when it is full. */
  readonly complaint: RegExp;
  usedMib(): Promise<number>;
  /** The types of the task's events, in their order. */
  eventsOf(taskId: string): Promise<readonly string[]>;
  /** Something else takes the room that is left for ends: all of it in a Redis, half of it in a data file, where nobody else writes. */
  takeReserve(): Promise<void>;
  /** Has the tasks expire, and removes what took the reserve. */
  makeRoom(taskIds: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export function openLimitedStore(): Promise<LimitedStore> {
  return inject('store') === 'SQLite' ? limitedFile() : limitedRedis();
}

async function limitedRedis(): Promise<LimitedStore> {
  const redis = await ChaosRedis.start('everysec', ['--maxmemory', `${REDIS_MIB}mb`]);
  const { client } = redis;
  return {
    env: { REDIS_URL: redis.url },
    maxMib: REDIS_MIB,
    folder: redis.folder,
    // Two gateways that write large tasks at the same moment may meet the limit of Redis itself before they know how full it is.
    complaint: /Redis uses \d{2,3}(\.\d)? % of its maxmemory \(\d+\.\d MiB of 64\.0 MiB\)|OOM command not allowed/,
    usedMib: async () => Number(/^used_memory:(\d+)/m.exec(await client.info('memory'))?.[1]) / MIB,
    eventsOf: async (taskId) => (await client.xrange(`lh:{${taskId}}:events`, '-', '+')).map(([, [, type = '']]) => type),
    takeReserve: async () => {
      for (let key = 0; await client.set(`foreign:${key}`, 'x'.repeat(100_000)).catch(() => undefined); key++);
    },
    makeRoom: async (taskIds) => {
      const keys = taskIds.flatMap((taskId) => [`lh:{${taskId}}:events`, `lh:{${taskId}}:view`]);
      await client.del(...keys, ...(await client.keys('foreign:*')));
    },
    close: () => redis.close(),
  };
}

/** How long a statement waits for a writer, milliseconds. */
const BUSY_MS = 5_000;

async function limitedFile(): Promise<LimitedStore> {
  const folder = new TestFolder();
  let opened: DatabaseSync | undefined;
  const file = (): DatabaseSync => (opened ??= new DatabaseSync(folder.dataFile, { timeout: BUSY_MS }));
  const number = (sql: string): number => Number(Object.values(file().prepare(sql).get() ?? {})[0]);
  const usedMib = (): number => ((number('PRAGMA page_count') - number('PRAGMA freelist_count')) * number('PRAGMA page_size')) / MIB;
  return {
    env: { LONGHAUL_DATA_DIR: folder.path, LONGHAUL_SQLITE_MAX_BYTES: String(FILE_MIB * MIB) },
    maxMib: FILE_MIB,
    folder: folder.path,
    complaint: /takes \d\d\.\d MiB of the 32\.0 MiB that it may by LONGHAUL_SQLITE_MAX_BYTES/,
    usedMib: async () => usedMib(),
    eventsOf: async (taskId) => {
      const sql = 'SELECT type FROM events JOIN tasks ON events.task = tasks.id WHERE task_id = ? ORDER BY events.version';
      const rows = file().prepare(sql).all(taskId);
      return rows.map(({ type }) => String(type));
    },
    takeReserve: async () => {
      file().exec('CREATE TABLE rest (bytes BLOB)');
      while (usedMib() < 0.96 * FILE_MIB) file().exec('INSERT INTO rest VALUES (zeroblob(100000))');
    },
    makeRoom: async (taskIds) => {
      file().exec('DROP TABLE rest');
      const expire = file().prepare('UPDATE tasks SET expires_at = 0 WHERE task_id IN (SELECT value FROM json_each(?))');
      expire.run(JSON.stringify(taskIds));
    },
    close: async () => {
      opened?.close();
      folder.remove();
    },
  };
}
