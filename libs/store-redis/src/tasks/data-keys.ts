import { dataKeyFrom, dataKeyText } from '@longhaul/tasks/store';
import type { DataKeyRecord, DataKeyStore } from '@longhaul/tasks';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';
import { ADD_DATA_KEY, DATA_KEYS_OF, PUT_BACK_DATA_KEY, REPLACE_DATA_KEY } from './data-keys.lua.js';
import { whileReachable } from './store-fault.js';

const PAGE = 200;

/** Fields that have the ids of the keys of a scope begin with it. No id does. */
const OF = 'of:';

/** `DataKeyStore` on Redis: one hash, with each record at its id, and the ids of each scope. */
export class RedisDataKeys implements DataKeyStore {
  readonly #add: RunScript<typeof ADD_DATA_KEY>;
  readonly #ofScope: RunScript<typeof DATA_KEYS_OF>;
  readonly #putBack: RunScript<typeof PUT_BACK_DATA_KEY>;
  readonly #replace: RunScript<typeof REPLACE_DATA_KEY>;
  readonly #name: string;

  constructor(
    private readonly redis: RedisClient,
    keys: RedisKeys,
  ) {
    this.#add = defineScript(redis, ADD_DATA_KEY);
    this.#ofScope = defineScript(redis, DATA_KEYS_OF);
    this.#putBack = defineScript(redis, PUT_BACK_DATA_KEY);
    this.#replace = defineScript(redis, REPLACE_DATA_KEY);
    this.#name = keys.dataKeys();
  }

  async find(id: string): Promise<DataKeyRecord | undefined> {
    const text = await whileReachable(() => this.redis.hget(this.#name, id));
    return text === null ? undefined : dataKeyFrom(text);
  }

  async ofScope(scope: string): Promise<readonly DataKeyRecord[]> {
    const records = await whileReachable(() => this.#ofScope({ dataKeys: this.#name }, { of: OF + scope }));
    return records.map(dataKeyFrom);
  }

  async add(record: DataKeyRecord): Promise<readonly DataKeyRecord[]> {
    const records = await whileReachable(() => this.#add({ dataKeys: this.#name }, argsOf(record)));
    return records.map(dataKeyFrom);
  }

  async putBack(record: DataKeyRecord): Promise<readonly DataKeyRecord[]> {
    const records = await whileReachable(() => this.#putBack({ dataKeys: this.#name }, argsOf(record)));
    return records.map(dataKeyFrom);
  }

  async replace(was: DataKeyRecord, record: DataKeyRecord): Promise<boolean> {
    const args = { id: was.id, was: dataKeyText(was), record: dataKeyText(record) };
    return whileReachable(() => this.#replace({ dataKeys: this.#name }, args));
  }

  async *all(): AsyncIterable<readonly DataKeyRecord[]> {
    let cursor = '0';
    do {
      const [next, found] = await whileReachable(() => this.redis.hscan(this.#name, cursor, 'COUNT', PAGE));
      yield found.filter((_, at) => at % 2 === 1 && found[at - 1]?.startsWith(OF) === false).map(dataKeyFrom);
      cursor = next;
    } while (cursor !== '0');
  }
}

function argsOf(record: DataKeyRecord): { readonly id: string; readonly of: string; readonly record: string } {
  return { id: record.id, of: OF + record.scope, record: dataKeyText(record) };
}
