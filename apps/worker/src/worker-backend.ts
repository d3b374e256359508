import { connectRedisBackend, type RedisBackend } from '@longhaul/sessions';
import type { Logger } from 'pino';
import type { WorkerConfig } from './config.js';

/** The backend of a worker, or of a process that it forked, as the environment describes it. */
export function connectWorkerBackend(config: WorkerConfig, logger: Logger): Promise<RedisBackend> {
  return connectRedisBackend({
    url: config.redisUrl,
    cluster: config.redisCluster,
    prefix: config.keyPrefix,
    role: 'worker',
    sessionTtlMs: config.sessionIdleMs,
    watermark: config.redisWatermark,
    keepContinuedMs: config.keepContinuedMs,
    onError: (error) => logger.error({ err: error }, 'redis'),
  });
}
