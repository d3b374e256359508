import { randomUUID } from 'node:crypto';
import { ownerOfAnonymousSession } from '@longhaul/sessions';
import { InitializeRequestSchema, LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS, } from '@modelcontextprotocol/sdk/types.js';
import { checkClient, checkParams } from '../../rpc/param-limits.js';
import { parseParams } from '../../rpc/params.js';
/** Whose a session is. Without authentication its tasks are its own, so that no other one sees them. */
export function ownerOfSession(sessionId, auth) {
    return auth === undefined ? ownerOfAnonymousSession(sessionId) : auth.owner;
}
/**
 * Opens a session for a client.
 *
 * @param opening where the session is kept; absent where there are none
 * @throws ProtocolError -32602; what `admit` refuses it with
 */
export async function initialize(params, introduce, opening, auth) {
    // Before the schema looks at each of the client's icons.
    checkClient({ capabilities: params?.['capabilities'], clientInfo: params?.['clientInfo'], nameOf: (member) => `params.${member}` });
    const request = parseParams(InitializeRequestSchema.shape.params, params);
    const client = {
        // As it was sent: the schema drops capabilities that it does not know.
        capabilities: params?.['capabilities'],
        ...nameAndVersion(request.clientInfo),
    };
    checkParams(params);
    const protocolVersion = negotiate(request.protocolVersion);
    const result = { protocolVersion, ...introduce(client.capabilities) };
    if (opening === undefined)
        return { result };
    const sessionId = randomUUID();
    await opening.admit(sessionId, Buffer.byteLength(JSON.stringify(client)));
    try {
        await opening.sessions.create({ id: sessionId, owner: ownerOfSession(sessionId, auth), protocolVersion, client });
    }
    catch (error) {
        await opening.release(sessionId);
        throw error;
    }
    return { sessionId, result };
}
function nameAndVersion({ name, version }) {
    return { name, version };
}
function negotiate(requested) {
    return SUPPORTED_PROTOCOL_VERSIONS.includes(requested) ? requested : LATEST_PROTOCOL_VERSION;
}
//# sourceMappingURL=initialize.js.map