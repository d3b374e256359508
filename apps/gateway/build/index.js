export { readConfig } from './config.js';
export { shutDown } from './http/shutdown.js';
export { openGateway } from './open-gateway.js';
export { openGatewayState } from './open-gateway-state.js';
export { createMemoryGatewayState } from './state/memory/gateway-state.js';
export { createMemorySessionStore } from './state/memory/session-store.js';
export { createRedisGatewayState } from './state/redis/gateway-state.js';
export { gatewayKeys } from './state/redis/keys.js';
export { createRedisSessionStore } from './state/redis/session-store.js';
export { sharedSecret } from './state/redis/shared-secret.js';
export { openSqliteGatewayState } from './state/sqlite/gateway-state.js';
//# sourceMappingURL=index.js.map