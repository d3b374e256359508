/** @module @longhaul/client */
export { connect } from './connect.js';
export {
  CancelFailedError,
  ClientClosedError,
  ClientError,
  ConnectionLostError,
  InputFailedError,
  ProtocolViolationError,
  RpcError,
  SessionLostError,
  TaskCancelledError,
  TaskFailedError,
  TaskLeftError,
} from './errors.js';
export type { Generation } from './generation.js';
export { greeted, type Greeting, greetingOf } from './greeting.js';
export type { InputContext, InputHandlers } from './input.js';
export type { CallOptions, ConnectOptions, FollowOptions, Target } from './options.js';
export type { KnownSession, SessionKeeper } from './session-keeper.js';
export type { TaskClient } from './task-client.js';
export type { TaskReference } from './task-reference.js';
export type { TaskStatus } from './task-status.js';
export type { RetryPolicy } from './wire/retries.js';
export { withoutNulls } from './wire/null-as-absent.js';
