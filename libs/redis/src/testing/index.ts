/**
 * Entry of the package for tests: plain connections that read Redis directly, without the tested process, and a function that starts a
 * server. Not stable.
 */
export { commandCluster } from '../cluster.js';
export { commandConnection } from '../connection.js';
export { findRedisServer } from './find-redis-server.js';
export { startRedisGuard } from './redis-guard.js';
