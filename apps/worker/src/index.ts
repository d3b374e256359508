export { readConfig, type WorkerConfig } from './config.js';
export { openWorker, type RunningWorker, type WorkerParts } from './open-worker.js';
