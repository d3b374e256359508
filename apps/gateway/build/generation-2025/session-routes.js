import { refusalOf, SHUTTING_DOWN } from '../rpc/errors.js';
import { held } from '../rpc/held-request.js';
import { endSession } from './end-session.js';
import { checkStreamType, loadSession, requireSessionId, sessionNotFound } from './header-checks.js';
export function createGetStream({ sessions, standalone, resume, ...holding }) {
    return async ({ headers, raw }, reply) => {
        checkStreamType(headers);
        const load = async () => {
            const session = await loadSession(sessions, requireSessionId(headers), raw);
            if (holding.closing.aborted)
                throw refusalOf(SHUTTING_DOWN);
            return session;
        };
        const lastEventId = headers['last-event-id'];
        if (typeof lastEventId !== 'string')
            return standalone.open(await load(), reply);
        await held(holding, reply.raw, async () => resume(await load(), lastEventId, reply));
        return undefined;
    };
}
export function createDeleteSession(ending) {
    return async ({ headers, raw }, reply) => {
        const session = await loadSession(ending.sessions, requireSessionId(headers), raw);
        if (!(await endSession(ending, session)))
            throw sessionNotFound();
        return reply.code(200).send();
    };
}
//# sourceMappingURL=session-routes.js.map