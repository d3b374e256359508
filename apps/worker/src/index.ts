export { buildHealth, listenForHealthChecks } from './health.js';
export { buildWorker, type RunningWorker, type WorkerDependencies } from './worker.js';
