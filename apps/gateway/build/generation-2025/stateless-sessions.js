import { DEFAULT_NEGOTIATED_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { accountsOfCaller, callerWithoutSession } from '../rpc/caller.js';
/** What a request has in the place of a session. */
export function statelessSession({ 'mcp-protocol-version': version }, identity) {
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
/** A store that keeps nothing, and has no session end. */
export function createStatelessSessions() {
    return {
        create: async () => undefined,
        load: async () => undefined,
        touch: async () => true,
        setLogLevel: async () => undefined,
        shutDown: async () => undefined,
        end: async () => false,
    };
}
//# sourceMappingURL=stateless-sessions.js.map