import { FORMATS } from '@longhaul/tasks';
import { faultOf, type RedisClient } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';

/**
 * Makes sure that the data under the prefix is of this version. The first process writes the version down. While the master of the key is
 * away or full, the version is not checked: a process can start while one master of several is away.
 *
 * @throws Error with one line that says what to do
 */
export async function requireLayout(redis: RedisClient, keys: RedisKeys): Promise<void> {
  const [key, version] = [keys.layout(), String(FORMATS.redis)];
  const found = await versionAt(redis, key, version).catch((error: unknown) => {
    if (faultOf(error) === undefined) throw error;
    return version;
  });
  if (found !== version)
    throw new Error(
      `Redis has version ${found} of what Longhaul keeps under the prefix "${keys.prefix}", and this Longhaul has version ${version}: run the Longhaul that wrote it, or set LONGHAUL_KEY_PREFIX to another prefix.`,
    );
}

/** Reads first, because a full Redis accepts no write. @returns the version that is there, or that has been written now */
async function versionAt(redis: RedisClient, key: string, version: string): Promise<string> {
  return (await redis.get(key)) ?? (await redis.set(key, version, 'NX', 'GET')) ?? version;
}
