import type { Store } from '@longhaul/sessions';
import { openStore } from '@longhaul/store';
import type { Logger } from 'pino';
import type { WorkerConfig } from './config.js';

/** The store of a worker, or of a process that it forked, as the environment describes it. */
export function openWorkerStore(config: WorkerConfig, logger: Logger): Promise<Store> {
  const { keepContinuedMs } = config;
  return openStore(config, {
    role: 'worker',
    keepContinuedMs,
    onNotice: (line) => logger.warn(line),
    onError: (error) => logger.error({ err: error }, 'store'),
  });
}
