import type { ListHashes, ShownLists } from '../cluster/shown-lists.js';
import type { GatewayKeys } from './session-keys.js';
import { answered } from './scripts/script.js';

/** The commands of Redis that it needs. */
export interface ShownListsRedis {
  hgetall(key: string): Promise<Record<string, string>>;
  hset(key: string, fields: Record<string, string>): Promise<number>;
}

/** As a hash in Redis. */
export class RedisShownLists implements ShownLists {
  constructor(private readonly deps: { readonly redis: ShownListsRedis; readonly keys: GatewayKeys }) {}

  async read(): Promise<Readonly<Partial<ListHashes>>> {
    return answered(this.deps.redis.hgetall(this.deps.keys.lists));
  }

  async write(hashes: ListHashes): Promise<void> {
    await answered(this.deps.redis.hset(this.deps.keys.lists, { ...hashes }));
  }
}
