import type { Store } from '@longhaul/sessions';
import type { RedisStoreOptions } from '@longhaul/store-redis';
import { openSqliteStore } from '@longhaul/store-sqlite';
import type { AtRestConfig, SharedConfig } from '@longhaul/runtime/environment';
import { createKeyRing, readKeys } from '@longhaul/runtime/keys';
import type { EncryptionKeys } from '@longhaul/tasks';

/** Settings that do not depend on the store. */
export interface OpenStoreOptions extends Pick<RedisStoreOptions, 'role' | 'onError'> {
  /** How long the events before a task was continued as new are kept for operators, milliseconds. */
  readonly keepContinuedMs?: number;
}

/**
 * Opens the store that the settings name: the data file, or Redis. This is the one place that chooses. The code for Redis is loaded only if
 * it is chosen.
 *
 * @throws Error with one line that says what to do
 */
export async function openStore(config: SharedConfig, { role, onError, keepContinuedMs }: OpenStoreOptions): Promise<Store> {
  const { dataFile, sessionIdleMs: sessionTtlMs, keep } = config;
  const encryption = config.atRest && (await readEncryption(config.atRest));
  const common = { sessionTtlMs, keep, onError, encryption, ...(keepContinuedMs !== undefined && { keepContinuedMs }) };
  const sealing = { keyRing: encryption?.ring, encrypts: encryption?.writes === true };
  if (dataFile !== undefined) return { ...(await openSqliteStore({ ...common, ...dataFile })), ...sealing };
  const { connectRedisStore } = await import('@longhaul/store-redis');
  const { redisUrl: url, redisCluster: cluster, keyPrefix: prefix, redisWatermark: watermark } = config;
  return { ...(await connectRedisStore({ ...common, url, cluster, prefix, watermark, role })), ...sealing };
}

/** @throws ConfigError naming each key that cannot be read */
async function readEncryption({ keys, writes, takesPlain }: AtRestConfig): Promise<EncryptionKeys> {
  const [first, ...others] = await readKeys(keys);
  if (first === undefined) throw new RangeError('There is no key to encrypt with.');
  return { ring: createKeyRing(first, others), writes, takesPlain };
}
