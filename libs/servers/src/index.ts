export { askBefore, isAllowed, type ApprovalPolicy, type ServerConfig, type StdioServer, type UrlServer } from './config/server-config.js';
export { parseServers, readServers, type ServersFile } from './config/servers-file.js';
export { connectServer, ServerStartError } from './connection/connect-server.js';
export { type ConnectedServers, connectServers } from './connection/connect-servers.js';
export type { ConnectedServer } from './connection/connected-server.js';
export { failureText } from './connection/failure-text.js';
export { KeptServer, type KeptServerOptions, ServerAwayError, type ServerHealth } from './connection/kept-server.js';
export type { CallServerOptions, FollowServerOptions } from './connection/server-calls.js';
export type { Asking, ServerEvent, ServerHandlers } from './connection/server-handlers.js';
