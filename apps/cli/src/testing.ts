/**
 * Exports the package's entry for tests: functions that start processes, and the command line without its own process. It is not stable.
 */
export { runCli } from './cli.js';
export { commands } from './commands/commands.js';
export { apiVariables } from './operators/api/http-transport.js';
export { type AppProcess, type ReadyMessage, startApp } from './processes/app-process.js';
export { type Child, followChild } from './processes/child.js';
export { type Cleanup, createCleanup } from './processes/cleanup.js';
export { listenForStopSignals } from './processes/stop-signals.js';
