export { createKeyRing, joinKeyRings, KEY_ID_LENGTH, type Key, type KeyRing, type KeyUse, type NamedSecret } from './key-ring.js';
export { decrypted, encrypted } from './seal.js';
export { openedText, sealedText } from './sealed-text.js';
export { keySources, type KeySource, readKeys } from './key-sources.js';
