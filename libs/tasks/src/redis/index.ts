/** An entry of the package of its own: who keeps tasks elsewhere need not load what speaks to Redis. */
export { connectRedisTasks, type RedisTasks, type RedisTasksOptions } from './backend.js';
export { RedisKeys } from './keys.js';
export { whileReachable } from './store-fault.js';
