export { createKeyRing, joinKeyRings, KEY_ID_LENGTH } from './key-ring.js';
export { keySources, readKeys } from './key-sources.js';
//# sourceMappingURL=index.js.map