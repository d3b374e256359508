import { createKeyRing, readKeys } from '@longhaul/runtime/keys';
import { openSqliteBackend } from './sqlite/backend.js';
/**
 * Opens what the settings name: the data file, or Redis. The one place that decides it. What speaks to Redis is loaded only then.
 *
 * @throws Error with one line that says what to do
 */
export async function openBackend(config, { role, onError, keepContinuedMs }) {
    const { dataFile, sessionIdleMs: sessionTtlMs, keep } = config;
    const encryption = config.atRest && (await readEncryption(config.atRest));
    const common = { sessionTtlMs, keep, onError, encryption, ...(keepContinuedMs !== undefined && { keepContinuedMs }) };
    const keyRing = encryption?.ring;
    if (dataFile !== undefined)
        return { ...(await openSqliteBackend({ ...common, ...dataFile })), keyRing };
    const { connectRedisBackend } = await import('./redis/index.js');
    const { redisUrl: url, redisCluster: cluster, keyPrefix: prefix, redisWatermark: watermark, queues } = config;
    return { ...(await connectRedisBackend({ ...common, url, cluster, prefix, watermark, queues, role })), keyRing };
}
/** @throws ConfigError naming each key that cannot be read */
async function readEncryption({ keys, writes }) {
    const [first, ...others] = await readKeys(keys);
    if (first === undefined)
        throw new RangeError('There is no key to encrypt with.');
    return { ring: createKeyRing(first, others), writes };
}
//# sourceMappingURL=open-backend.js.map