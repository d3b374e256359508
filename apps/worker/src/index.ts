export { buildWorker, type RunningWorker, type WorkerDependencies } from './worker.js';
