/** Exports the parts that tests look into. Nothing here is stable. */
export { RedisSessionBytes } from './sessions/session-bytes.js';
export { SessionKeys } from './keys/sessions.js';
export { ScheduleKeys } from './keys/schedules.js';
export { WebhookKeys } from './keys/webhooks.js';
export { KEEP_FAIR } from './tasks/fair-order.lua.js';
export { createRedisSessionStore, type RedisSessionStoreOptions } from './gateway/session-store.js';
export { sharedSecret } from './gateway/shared-secret.js';
