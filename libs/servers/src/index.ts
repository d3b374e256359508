export { CredentialsExpired, ServerAuthError, tokenMissing } from './auth/auth-errors.js';
export { LoginFolder, type LoginKeys } from './auth/login/login-folder.js';
export { Logins } from './auth/login/logins.js';
export { CallerTokens } from './auth/caller-tokens.js';
export { KeptTokens, type TokenPlace } from './auth/kept-tokens.js';
export {
  askBefore,
  exchangesTokens,
  type ExchangingServer,
  isAllowed,
  isRepeatable,
  settingsOfTool,
  type ApprovalPolicy,
  type ServerConfig,
  type StdioServer,
  type ToolSettings,
  type UrlServer,
} from './config/server-config.js';
export { type PinVerdict, toolHash, type ToolPins, ToolRefused } from './config/tool-pins.js';
export { parseServers, readServers, type ServersFile } from './config/servers-file.js';
export { type CallOutcome, type CallWatch, outcomeOfError, SwitchedOffError, watchedCall } from './connection/call-watch.js';
export { connectServer, listingLink, ServerStartError } from './connection/connect-server.js';
export { type ConnectedServers, connectServers } from './connection/connect-servers.js';
export type { ConnectedServer, ServerAbout } from './connection/connected-server.js';
export { loggerOf } from './connection/logger-of.js';
export { answeredError } from './connection/answered-error.js';
export { failureText } from './connection/failure-text.js';
export { KeptServer, type KeptServerOptions, ServerAwayError, type ServerHealth } from './connection/kept-server.js';
export { HeldServers, type HeldServersOptions } from './held/held-servers.js';
export type { ListEntries, ListKind } from './connection/server-list.js';
export {
  type Lease,
  type LeaseRequest,
  type PoolNews,
  ServerPool,
  type ServerPoolOptions,
  TooManyConnections,
} from './pool/server-pool.js';
export type { CallServerOptions, FollowServerOptions } from './connection/server-calls.js';
export type { Asking, ServerEvent, ServerHandlers, ServerLog } from './connection/server-handlers.js';
