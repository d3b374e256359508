export { backUpStore, restoreStore } from './backup.js';
export { openStore, type OpenStoreOptions } from './open-store.js';
