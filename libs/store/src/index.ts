export { type LastingBackend, type OpenBackendOptions, openBackend } from './open-store.js';
