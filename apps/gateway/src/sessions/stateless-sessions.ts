/**
 * Stateless mode: there are no sessions. Each request stands for itself, from a client of which nothing is
 * known, so it is asked nothing. Without authentication, tasks belong to everyone who knows their ids.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import { DEFAULT_NEGOTIATED_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { ownerOf } from '../auth/authenticate.js';
import type { Session, SessionStore } from './session.js';

/** Who owns the tasks of requests without sessions, where nothing authenticates. */
const ANONYMOUS_OWNER = 'anonymous';

/** Whose a request is that has no session. */
export function callerWithoutSession(auth: AuthInfo | undefined): string {
  return auth === undefined ? ANONYMOUS_OWNER : ownerOf(auth);
}

/** What a request has in the place of a session. */
export function statelessSession({ 'mcp-protocol-version': version }: IncomingHttpHeaders, auth: AuthInfo | undefined): Session {
  return {
    id: '',
    owner: callerWithoutSession(auth),
    generation: '2025-11-25',
    protocolVersion: typeof version === 'string' ? version : DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
    client: () => ({ capabilities: {} }),
    isStored: false,
    ...(auth !== undefined && { auth }),
  };
}

/** A store that keeps nothing, and has no session end. */
export function createStatelessSessions(): SessionStore {
  return {
    create: async () => undefined,
    load: async () => undefined,
    touch: async () => true,
    setLogLevel: async () => undefined,
    shutDown: async () => undefined,
    end: async () => false,
  };
}
