import { FORMATS } from '@longhaul/tasks';
import type { RedisClient } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';

/**
 * Makes sure that the data under the prefix is of this version. The first process writes the version down.
 *
 * @throws Error with one line that says what to do
 */
export async function requireLayout(redis: RedisClient, keys: RedisKeys): Promise<void> {
  const [key, version] = [keys.layout(), String(FORMATS.redis)];
  // Read first, because a full Redis accepts no write.
  const found = (await redis.get(key)) ?? (await redis.set(key, version, 'NX', 'GET')) ?? version;
  if (found !== version)
    throw new Error(
      `Redis has version ${found} of what Longhaul keeps under the prefix "${keys.prefix}", and this Longhaul has version ${version}: run the Longhaul that wrote it, or set LONGHAUL_KEY_PREFIX to another prefix.`,
    );
}
