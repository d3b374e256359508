import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import { type DataKeyRecord, type DataKeyStore, dataKeyFrom, dataKeyText } from '../ports/data-keys.js';
import type { RedisKeys } from './keys.js';
import { ADD_DATA_KEY, REPLACE_DATA_KEY } from './scripts/data-keys.js';
import { whileReachable } from './store-fault.js';

const PAGE = 200;

/** `DataKeyStore` on Redis: one hash. */
export class RedisDataKeys implements DataKeyStore {
  readonly #add: RunScript<typeof ADD_DATA_KEY>;
  readonly #replace: RunScript<typeof REPLACE_DATA_KEY>;
  readonly #name: string;

  constructor(
    private readonly redis: RedisClient,
    keys: RedisKeys,
  ) {
    this.#add = defineScript(redis, ADD_DATA_KEY);
    this.#replace = defineScript(redis, REPLACE_DATA_KEY);
    this.#name = keys.dataKeys();
  }

  async find(id: string): Promise<DataKeyRecord | undefined> {
    const text = await whileReachable(() => this.redis.hget(this.#name, id));
    return text === null ? undefined : dataKeyFrom(text);
  }

  async add(record: DataKeyRecord): Promise<DataKeyRecord> {
    const args = { id: record.id, record: dataKeyText(record) };
    return dataKeyFrom(await whileReachable(() => this.#add({ dataKeys: this.#name }, args)));
  }

  async replace(was: DataKeyRecord, record: DataKeyRecord): Promise<boolean> {
    const args = { id: was.id, was: dataKeyText(was), record: dataKeyText(record) };
    return whileReachable(() => this.#replace({ dataKeys: this.#name }, args));
  }

  async *all(): AsyncIterable<readonly DataKeyRecord[]> {
    let cursor = '0';
    do {
      const [next, found] = await whileReachable(() => this.redis.hscan(this.#name, cursor, 'COUNT', PAGE));
      yield found.filter((_, at) => at % 2 === 1).map(dataKeyFrom);
      cursor = next;
    } while (cursor !== '0');
  }
}
