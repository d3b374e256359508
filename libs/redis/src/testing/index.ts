/** An entry of the package for tests: plain connections that look into Redis beside the process that they test, and what starts a server. Not stable. */
export { commandCluster } from '../cluster.js';
export { commandConnection } from '../connection.js';
export { findRedisServer } from './find-redis-server.js';
export { startRedisGuard } from './redis-guard.js';
