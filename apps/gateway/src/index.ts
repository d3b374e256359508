export { type GatewayConfig, readConfig } from './config.js';
export type { ListenAt } from './http/listen.js';
export { shutDown } from './http/shutdown.js';
export type { GatewayParts } from './gateway-parts.js';
export { type Gateway, openGateway } from './open-gateway.js';
export type { Authenticate } from './rpc/caller.js';
