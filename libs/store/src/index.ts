export { backUpStore, restoreStore } from './backup.js';
export { openBlobs } from './blobs/open-blobs.js';
export { openStore, type OpenStoreOptions } from './open-store.js';
