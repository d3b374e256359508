/**
 * Stateless mode: there are no sessions. Each request stands for itself, from a client of which nothing is
 * known, so it is asked nothing. Tasks belong to everyone who knows their ids.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { DEFAULT_NEGOTIATED_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import type { Session, SessionStore } from './session.js';

/** Who owns the tasks of a gateway without sessions. */
export const ANONYMOUS_OWNER = 'anonymous';

/** What a request has in the place of a session. */
export function statelessSession({ 'mcp-protocol-version': version }: IncomingHttpHeaders): Session {
  return {
    id: '',
    owner: ANONYMOUS_OWNER,
    generation: '2025-11-25',
    protocolVersion: typeof version === 'string' ? version : DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
    client: () => ({ capabilities: {} }),
    isStored: false,
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
