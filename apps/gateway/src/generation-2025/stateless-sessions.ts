/**
 * Stateless mode: there are no sessions. Each request is independent, and nothing is known about its client, so the client is asked
 * nothing. Without authentication, everyone who knows a task's id owns it.
 */
import type { Session, SessionStore } from '@longhaul/sessions/gateway';
import type { IncomingHttpHeaders } from 'node:http';
import { DEFAULT_NEGOTIATED_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { accountsOfCaller, callerWithoutSession, type Identity } from '../rpc/caller.js';

/** The substitute for a session in a request. */
export function statelessSession({ 'mcp-protocol-version': version }: IncomingHttpHeaders, identity: Identity): Session {
  const { auth, neededScopes } = identity;
  const owner = callerWithoutSession(identity);
  const accounts = accountsOfCaller(identity, owner);
  return {
    id: '',
    owner,
    ...(accounts !== undefined && { accounts }),
    generation: '2025-11-25',
    protocolVersion: typeof version === 'string' ? version : DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
    client: () => ({ capabilities: {} }),
    isStored: false,
    ...(auth !== undefined && { auth }),
    ...(neededScopes !== undefined && { neededScopes }),
  };
}

/** A store that keeps nothing, and in which no session ends. */
export function createStatelessSessions(): SessionStore {
  return {
    create: async () => undefined,
    load: async () => undefined,
    touch: async () => true,
    setLogLevel: async () => undefined,
    noteTasks: async () => undefined,
    shutDown: async () => undefined,
    end: async () => false,
  };
}
