/** An entry of the package of its own: who keeps tasks elsewhere need not load what speaks to Redis. */
export { connectRedisTasks } from './backend.js';
export { RedisKeys } from './keys.js';
export { whileReachable } from './store-fault.js';
//# sourceMappingURL=index.js.map