/** Redis stores on a prefix of their own, for a file of tests: what they open is closed after each test. */
import { connectRedisStore, type RedisStore, type RedisStoreOptions, RedisKeys } from '@longhaul/store-redis';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { ENCRYPTION } from '../../support/encryption.js';
import { openTestRedis, type TestRedis } from '../../support/redis.js';
import { openTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';

export class RedisStores {
  /** Set before the first test. */
  test!: TestRedis;
  keys!: RedisKeys;
  readonly #opened: { close(): Promise<void> }[] = [];

  constructor() {
    beforeAll(() => {
      this.test = openTestRedis();
      this.keys = new RedisKeys(this.test.prefix);
    });
    afterEach(async () => {
      for (const { close } of this.#opened.splice(0).toReversed()) await close();
    });
    afterAll(() => this.test.cleanUp());
  }

  readonly connect = async (options: Partial<RedisStoreOptions> = {}): Promise<RedisStore> => {
    const { url, prefix } = this.test;
    const store = await connectRedisStore({
      url,
      prefix,
      role: 'gateway',
      encryption: ENCRYPTION,
      onError: () => undefined,
      ...options,
    });
    this.#opened.push(store);
    return store;
  };

  readonly openProxy = async (): Promise<TcpProxy> => {
    const proxy = await openTcpProxy(this.test.url);
    this.#opened.push(proxy);
    return proxy;
  };
}
