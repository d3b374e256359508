import { openSqliteBackend, type SqliteBackend } from '@longhaul/store-sqlite';
import type { RedisBackend, RedisBackendOptions } from '@longhaul/store-redis';
import type { AtRestConfig, SharedConfig } from '@longhaul/runtime/environment';
import { createKeyRing, readKeys } from '@longhaul/runtime/keys';
import type { EncryptionKeys } from '@longhaul/tasks';

/** What does not depend on where things are kept. */
export interface OpenBackendOptions extends Pick<RedisBackendOptions, 'role' | 'onError'> {
  /** How long the events before a task was continued as new are kept for operators, milliseconds. */
  readonly keepContinuedMs?: number;
}

/** The backends that outlive a process. */
export type LastingBackend = RedisBackend | SqliteBackend;

/**
 * Opens what the settings name: the data file, or Redis. The one place that decides it. What speaks to Redis is loaded only then.
 *
 * @throws Error with one line that says what to do
 */
export async function openBackend(config: SharedConfig, { role, onError, keepContinuedMs }: OpenBackendOptions): Promise<LastingBackend> {
  const { dataFile, sessionIdleMs: sessionTtlMs, keep } = config;
  const encryption = config.atRest && (await readEncryption(config.atRest));
  const common = { sessionTtlMs, keep, onError, encryption, ...(keepContinuedMs !== undefined && { keepContinuedMs }) };
  const keyRing = encryption?.ring;
  if (dataFile !== undefined) return { ...(await openSqliteBackend({ ...common, ...dataFile })), keyRing };
  const { connectRedisBackend } = await import('@longhaul/store-redis');
  const { redisUrl: url, redisCluster: cluster, keyPrefix: prefix, redisWatermark: watermark } = config;
  return { ...(await connectRedisBackend({ ...common, url, cluster, prefix, watermark, role })), keyRing };
}

/** @throws ConfigError naming each key that cannot be read */
async function readEncryption({ keys, writes, takesPlain }: AtRestConfig): Promise<EncryptionKeys> {
  const [first, ...others] = await readKeys(keys);
  if (first === undefined) throw new RangeError('There is no key to encrypt with.');
  return { ring: createKeyRing(first, others), writes, takesPlain };
}
