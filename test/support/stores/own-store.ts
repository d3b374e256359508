import { inject } from 'vitest';
import { ChaosRedis } from '../chaos-redis.js';
import { openTestRedis } from '../redis.js';
import { RedisTestStore } from './redis-store.js';
import { SqliteTestStore } from './sqlite-store.js';
import type { TestStore } from './test-store.js';

/** Opens a store that nothing else uses: a Redis for one test, or a data file. */
export class OwnStore {
  private constructor(
    readonly store: TestStore,
    private readonly server: ChaosRedis | undefined,
    /** Its size, bytes: of memory in a Redis, of the file otherwise. */
    readonly usedBytes: () => Promise<number>,
  ) {}

  /** @param fsync and the arguments are for a Redis */
  static async start(fsync: 'always' | 'everysec', settings?: readonly string[]): Promise<OwnStore> {
    if (inject('store') === 'SQLite') {
      const file = new SqliteTestStore();
      return new OwnStore(file, undefined, () => file.usedBytes());
    }
    const redis = await ChaosRedis.start(fsync, settings);
    const used = async (): Promise<number> => Number(/used_memory:(\d+)/.exec(await redis.client.info('memory'))?.[1]);
    return new OwnStore(new RedisTestStore(openTestRedis({ url: redis.url, cluster: false })), redis, used);
  }

  /** The server, which may be killed. @throws Error on a data file */
  get redis(): ChaosRedis {
    if (this.server === undefined) throw new Error('There is no Redis to a data file.');
    return this.server;
  }

  get hasRedis(): boolean {
    return this.server !== undefined;
  }

  /** Ends and removes it. @param keep leaves what is stored */
  async close(keep = false): Promise<void> {
    await this.store.close(keep);
    await this.server?.close({ keepFolder: keep });
  }
}
