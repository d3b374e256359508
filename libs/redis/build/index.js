export { accessServer } from './access.js';
export { redactedUrl, requireReadable } from './address.js';
export { Batch } from './batch.js';
export { accessCluster } from './cluster-access.js';
export { closeConnection } from './connection.js';
export {} from './client.js';
export { faultOf, isAway, isUnsent } from './fault.js';
export { definePublish } from './publish.js';
export { defineScript, script } from './script.js';
export { memoryUse } from './server-check.js';
export { slotOf, SLOTS } from './slot.js';
export { RedisSubscriptions } from './subscriptions.js';
export { DEFAULT_WATERMARK } from './watermark.js';
export { flushWrites } from './write-coalescing.js';
//# sourceMappingURL=index.js.map