import type { CallbackStore, Milliseconds } from '@longhaul/tasks';
import type { RedisClient } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';
import { whileReachable } from './store-fault.js';

/** `CallbackStore` on Redis, one string for each address. */
export class RedisCallbackStore implements CallbackStore {
  constructor(private readonly deps: { readonly redis: RedisClient; readonly keys: RedisKeys }) {}

  async put(digest: string, text: string, keptMs: Milliseconds): Promise<void> {
    const { redis, keys } = this.deps;
    await whileReachable(() => redis.set(keys.callback(digest), text, 'PX', keptMs));
  }

  async get(digest: string): Promise<string | undefined> {
    const { redis, keys } = this.deps;
    return (await whileReachable(() => redis.get(keys.callback(digest)))) ?? undefined;
  }
}
