/** Entry of the package for tests: how errors are answered, which the documents list. Not stable. */
export { failureOf, RpcCode } from './rpc/errors.js';
export { KNOWN_CLIENTS } from './rpc/plain-calls/known-clients.js';
