/** An entry of the package for what starts processes for tests. Not stable. */
export { type AppProcess, type ReadyMessage, startApp } from './processes/app-process.js';
export { type Child, followChild } from './processes/child.js';
export { type Cleanup, createCleanup } from './processes/cleanup.js';
export { listenForStopSignals } from './processes/stop-signals.js';
