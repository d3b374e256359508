/** An entry of the package for tests: the parts that such a test looks into. Nothing here is stable. */
export { RedisSessionBytes } from './sessions/session-bytes.js';
export { SessionKeys } from './sessions/keys.js';
export { KEEP_FAIR } from './tasks/fair-order.lua.js';
