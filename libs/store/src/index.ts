export { openStore, type OpenStoreOptions } from './open-store.js';
