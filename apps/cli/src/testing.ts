/** An entry of the package for tests: what starts processes, and the command line without a process of its own. Not stable. */
export { runCli } from './cli.js';
export { commands } from './commands/commands.js';
export { type AppProcess, type ReadyMessage, startApp } from './processes/app-process.js';
export { type Child, followChild } from './processes/child.js';
export { type Cleanup, createCleanup } from './processes/cleanup.js';
export { listenForStopSignals } from './processes/stop-signals.js';
