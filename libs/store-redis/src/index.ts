export { connectRedisStore, type RedisStore, type RedisStoreOptions } from './connect.js';
export { gatewayKeys, type GatewayKeys } from './keys/gateway.js';
export { RedisKeys } from './keys/tasks.js';
export { whileReachable } from './tasks/store-fault.js';
