/** An entry of the package for what starts processes for tests. Not stable. */
export type { ReadyMessage } from './processes/app-process.js';
export { type Child, followChild } from './processes/child.js';
