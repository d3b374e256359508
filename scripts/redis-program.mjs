// Finds a Redis server for tests and benchmarks: a program on PATH, else Debian's package, else an error with the ways to get one.
import { installDebianPackage } from './debian-package.mjs';

/** There is no server, and none can be installed. */
export class NoRedis extends Error {}

/** The ways to get one, for who runs `npm test` or `npm run bench`. */
export const WAYS = [
  'This needs a real Redis (7 or newer) or Valkey:',
  '  - put redis-server or valkey-server on PATH, or',
  '  - run it as root where there is apt-get, which installs redis-server, or',
  '  - for npm test: REDIS_URL=redis://host:6379 npm test, with a server that you have',
].join('\n');

/**
 * @returns {Promise<{ path: string, label: string }>}
 * @throws {NoRedis}
 */
export async function redisProgram() {
  // Compiled by the build that comes first.
  const { findRedisServer } = await import('@longhaul/redis/testing');
  let program = await findRedisServer();
  if (program === undefined && (await installDebianPackage('redis-server'))) program = await findRedisServer();
  if (program === undefined) throw new NoRedis(WAYS);
  return program;
}
