import { relative } from 'node:path';

import { redactedUrl } from '@longhaul/redis/address';

import type { Settings } from './settings.js';
import { UserError } from './user-error.js';

/**
 * Checks whether the named Redis can be used, because one line from here is better than one from each app. The apps open a data file.
 *
 * @returns a description of the store
 * @throws UserError when a Redis cannot be used
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
    const store = await connectRedisStore({ url, cluster, role: 'gateway', onError: () => undefined });
    await store.close();
    return `${redactedUrl(url)} (REDIS_URL)`;
  } catch (error) {
    throw new UserError(error instanceof Error ? error.message : String(error));
  }
}
