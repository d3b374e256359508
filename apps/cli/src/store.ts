import { relative } from 'node:path';

import { redactedUrl } from '@longhaul/redis/address';

import type { Settings } from './settings.js';
import { UserError } from './user-error.js';

/**
 * Looks whether a Redis that is named can be used, because one line from here is better than one from each app. A data file is
 * opened by the apps.
 *
 * @returns where everything is kept, in words
 * @throws UserError when a Redis is not fit
 */
export async function requireStore({ gateway }: Settings, cwd: string): Promise<string> {
  const { dataFile, redisUrl: url, redisCluster: cluster } = gateway;
  if (dataFile !== undefined) {
    const shown = relative(cwd, dataFile.path);
    return `${shown.startsWith('..') ? dataFile.path : shown} (SQLite)`;
  }
  try {
    // Loaded only here: with a data file the launcher does not need it.
    const { connectRedisStore } = await import('@longhaul/store-redis');
    const backend = await connectRedisStore({ url, cluster, role: 'gateway', onError: () => undefined });
    await backend.close();
    return `${redactedUrl(url)} (REDIS_URL)`;
  } catch (error) {
    throw new UserError(error instanceof Error ? error.message : String(error));
  }
}
