import { ProtocolError } from '@longhaul/mcp-features';
import { RpcCode } from '../../rpc/errors.js';
import { taskCallerOf } from '../../rpc/caller.js';
import { checkParams } from '../../rpc/param-limits.js';
/** Runs the method of a request; a request for an unknown method gets an error. */
export function answererOf(method, { message, session, operation }, clientRequests) {
    const { id, method: name, params } = message;
    const caller = taskCallerOf(session);
    return (scope) => {
        if (method === undefined)
            throw new ProtocolError(RpcCode.MethodNotFound, 'Method not found');
        checkParams(params);
        if (method.kind === 'reads')
            return method.handle({ params, caller });
        const ask = (request) => clientRequests.send({ scope, session }, request);
        const sessionId = session.isStored ? { sessionId: session.id } : {};
        return method.handle({
            id,
            method: name,
            params,
            caller,
            requester: session,
            session,
            ...sessionId,
            scope,
            ask,
            operation,
        });
    };
}
/**
 * Starts a method without effects before it is known whether the session exists, so that both reads
 * are one round trip. The caller must not use the answer unless it does.
 */
export function answerEarly(method, { params }, caller) {
    if (method?.kind !== 'reads')
        return undefined;
    const answer = (async () => {
        checkParams(params);
        return method.handle({ params, caller });
    })();
    // If the session turns out to be missing, nobody asks for it again.
    answer.catch(() => undefined);
    return answer;
}
//# sourceMappingURL=answerer.js.map