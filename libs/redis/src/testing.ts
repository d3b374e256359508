/** An entry of the package for tests that look into Redis beside the process that they test: plain connections. Not stable. */
export { commandCluster } from './cluster.js';
export { commandConnection } from './connection.js';
