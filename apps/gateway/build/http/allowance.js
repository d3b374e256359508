import { tasksNamedIn } from '../rpc/request-scopes.js';
import { holdsScopes } from '../rpc/scopes.js';
export function createAllowance({ requestScopes, scopesOfTasks, challenges }) {
    const refuse = async ({ owner }, needed, body) => {
        const ofTasks = await scopesOfTasks(tasksNamedIn(body), owner);
        throw challenges.insufficient([...new Set([...needed, ...ofTasks])]);
    };
    const look = (raw, scopesOf, body) => {
        const request = raw;
        const { auth } = request;
        // Who has no token, or a static one, may do everything.
        if (auth?.scopes === undefined)
            return undefined;
        const needed = scopesOf();
        request.neededScopes = needed;
        return holdsScopes(auth, needed) ? undefined : refuse(auth, needed, body);
    };
    return {
        ofPost: (raw, body, generation) => look(raw, () => requestScopes[generation].ofBody(body), body),
        // Only sessions have these.
        ofGet: (raw) => look(raw, () => requestScopes['2025-11-25'].ofListening),
        ofDelete: (raw) => look(raw, () => requestScopes['2025-11-25'].ofAll),
    };
}
//# sourceMappingURL=allowance.js.map