export { connect } from './connect.js';
export { CancelFailedError, ClientClosedError, ClientError, ConnectionLostError, InputFailedError, ProtocolViolationError, RpcError, SessionLostError, TaskCancelledError, TaskFailedError, TaskLeftError, } from './errors.js';
//# sourceMappingURL=index.js.map