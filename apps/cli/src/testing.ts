/** An entry of the package for what starts a Redis for tests. Not stable. */
export { type Child, followChild } from './processes/child.js';
export { findRedisServer } from './redis/find-redis-server.js';
export { startRedisGuard } from './redis/redis-guard.js';
