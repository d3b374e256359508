/** An entry of the package for what starts processes for tests. Not stable. */
export { startApp } from './processes/app-process.js';
export { followChild } from './processes/child.js';
export { createCleanup } from './processes/cleanup.js';
export { listenForStopSignals } from './processes/stop-signals.js';
//# sourceMappingURL=testing.js.map