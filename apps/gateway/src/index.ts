export { buildGateway, type GatewayDeps, type GatewaySettings } from './app.js';
export { ConfigError, type GatewayConfig, readConfig } from './config.js';
export { listen, ListenError } from './listen.js';
export { createMemorySessionStore } from './sessions/memory-session-store.js';
export { createRedisSessionStore, type RedisSessionStoreOptions, type SessionRedis } from './sessions/redis-session-store.js';
export { gatewayKeys, type GatewayKeys } from './sessions/session-keys.js';
export type { ClientDescription, NewSession, Session, SessionStore } from './sessions/session.js';
export { type SecretRedis, sharedSecret } from './sessions/shared-secret.js';
export { shutDown, type Shutdown } from './shutdown.js';
