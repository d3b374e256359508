export { readConfig } from './config.js';
export { openWorker } from './open-worker.js';
//# sourceMappingURL=index.js.map