/** Who keeps records beyond a request, and what features see of that. */
import { ANONYMOUS_OWNER, createOwnerContexts, LOCAL_OWNER } from '@longhaul/sessions';
import { accountOfRequester } from '../../state/requester.js';
/** A day less than the bytes of an account are counted. Nobody says when a secret is given up. */
const SECRET_IDLE_MS = 30 * 24 * 3_600_000;
export function createOwners({ backend, isOneUser, sessionIdleMs, logger }) {
    const contexts = createOwnerContexts(backend, (error) => logger.warn({ err: error }, 'notification not published'));
    const idOf = (taskOwner) => (isOneUser ? LOCAL_OWNER : taskOwner === ANONYMOUS_OWNER ? undefined : taskOwner);
    const ownerOf = ({ requester, sessionId }) => {
        const id = idOf(requester.owner);
        if (id === undefined)
            return undefined;
        if (isOneUser || requester.auth !== undefined)
            return { id };
        return { id, account: accountOfRequester(requester), idleMs: sessionId === undefined ? SECRET_IDLE_MS : sessionIdleMs };
    };
    return {
        idOf,
        ownerOf,
        contextOf(call) {
            const owner = ownerOf(call);
            return owner && contexts(owner);
        },
    };
}
//# sourceMappingURL=owners.js.map