/** Exports, as a separate entry of the package, how another program starts durable tools: a web application, a consumer of a queue. */
export { createStarter } from './start/create-starter.js';
export { ResultTimeoutError, StarterError, TaskCancelledError, TaskFailedError, TaskNotFoundError } from './start/errors.js';
export type {
  CancelOptions,
  OwnerOptions,
  ResultOptions,
  SignalOptions,
  StartedTask,
  Starter,
  StarterOptions,
  StartOptions,
  TaskStanding,
} from './start/starter.js';
