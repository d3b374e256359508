/** An entry of the package of its own: who keeps sessions elsewhere need not load what speaks to Redis. */
export { connectRedisBackend } from './backend.js';
//# sourceMappingURL=index.js.map