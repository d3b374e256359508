/** Durable calls of the tools of other servers: calls that survive the processes that make them. */
export { boundedResult, MAX_RECORDED_BYTES } from './bounded-result.js';
export { cancelRemoteTasks } from './cancel-remote-tasks.js';
export { type ListedServer, listServers } from './listed-server.js';
export { askableCapabilities, PassConnections, type PassPool } from './pass-connections.js';
export { RemoteCall, RemoteCallFailed } from './remote-call.js';
export { ServerStates, withLossNote } from './server-states.js';
export { StatusLine } from './status-line.js';
