/** An entry of the package of its own: who keeps sessions elsewhere need not load what speaks to Redis. */
export { connectRedisBackend, type RedisBackend, type RedisBackendOptions } from './backend.js';
