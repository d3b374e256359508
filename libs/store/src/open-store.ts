import type { Store } from '@longhaul/sessions';
import type { RedisStoreOptions } from '@longhaul/store-redis';
import { openSqliteStore } from '@longhaul/store-sqlite';
import type { AtRestConfig, BlobsConfig, SharedConfig } from '@longhaul/runtime/environment';
import { createKeyRing, readKeys } from '@longhaul/runtime/keys';
import type { EncryptionKeys, LargeValues } from '@longhaul/tasks';
import { createLargeValues } from '@longhaul/tasks/store';
import { createHash } from 'node:crypto';
import { openBlobs } from './blobs/open-blobs.js';

/** Settings that do not depend on the store. */
export interface OpenStoreOptions extends Pick<RedisStoreOptions, 'role' | 'onError' | 'onNotice'> {
  /** How long the events before a task was continued as new are kept for operators, milliseconds. */
  readonly keepContinuedMs?: number;
}

/**
 * Opens the store that the settings name: the data file, or Redis. This is the one place that chooses. The code for Redis is loaded only if
 * it is chosen.
 *
 * @throws Error with one line that says what to do
 */
export async function openStore(config: SharedConfig, { role, onError, onNotice, keepContinuedMs }: OpenStoreOptions): Promise<Store> {
  const { dataFile, sessionIdleMs: sessionTtlMs, keep } = config;
  const encryption = config.atRest && (await readEncryption(config.atRest));
  const common = { sessionTtlMs, keep, onError, encryption, ...(keepContinuedMs !== undefined && { keepContinuedMs }) };
  const sealing = { keyRing: encryption?.ring, encrypts: encryption?.writes === true };
  const open = async (): Promise<Store> => {
    if (dataFile !== undefined) return openSqliteStore({ ...common, ...dataFile });
    const { connectRedisStore } = await import('@longhaul/store-redis');
    const { redisUrl: url, redisCluster: cluster, keyPrefix: prefix, redisWatermark: watermark } = config;
    return connectRedisStore({ ...common, url, cluster, prefix, watermark, role, ...(onNotice !== undefined && { onNotice }) });
  };
  const store = await open();
  try {
    return { ...store, ...sealing, values: config.blobs && (await openValues(config.blobs, config.largeValues, store)) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Each deployment has a folder of its own in the place of large values, so that none removes those of another one. */
async function openValues(blobs: BlobsConfig, limits: SharedConfig['largeValues'], { codec, gateway }: Store): Promise<LargeValues> {
  return createLargeValues({ blobs: await openBlobs(blobs), codec, folder: folderOf(await gateway.secret()), ...limits });
}

/** The folder of the large values of the deployment with this secret. */
export function folderOf(secret: string): string {
  return createHash('sha256').update(`large values of ${secret}`).digest('hex').slice(0, 16);
}

/** @throws ConfigError naming each key that cannot be read */
async function readEncryption({ keys, writes, takesPlain }: AtRestConfig): Promise<EncryptionKeys> {
  const [first, ...others] = await readKeys(keys);
  if (first === undefined) throw new RangeError('There is no key to encrypt with.');
  return { ring: createKeyRing(first, others), writes, takesPlain };
}
