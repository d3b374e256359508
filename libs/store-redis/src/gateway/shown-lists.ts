import type { ListHashes, ShownLists } from '@longhaul/sessions/gateway';
import type { RedisClient } from '@longhaul/redis';
import { whileReachable } from '../tasks/store-fault.js';
import type { GatewayKeys } from '../keys/gateway.js';

/** Stores the lists as a hash in Redis. */
export class RedisShownLists implements ShownLists {
  constructor(private readonly deps: { readonly redis: RedisClient; readonly keys: GatewayKeys }) {}

  async read(): Promise<Readonly<Partial<ListHashes>>> {
    return whileReachable(() => this.deps.redis.hgetall(this.deps.keys.lists));
  }

  async write(hashes: ListHashes): Promise<void> {
    await whileReachable(() => this.deps.redis.hset(this.deps.keys.lists, { ...hashes }));
  }
}
