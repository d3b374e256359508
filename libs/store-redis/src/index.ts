export { createRedisGatewayState } from './gateway/gateway-state.js';
export { gatewayKeys, type GatewayKeys } from './gateway/keys.js';
export { createRedisSessionStore, type RedisSessionStoreOptions } from './gateway/session-store.js';
export { sharedSecret } from './gateway/shared-secret.js';
export { connectRedisBackend, type RedisBackend, type RedisBackendOptions } from './sessions/backend.js';
export { connectRedisTasks, type RedisTasks, type RedisTasksOptions } from './tasks/backend.js';
export { RedisKeys } from './tasks/keys.js';
export { whileReachable } from './tasks/store-fault.js';
