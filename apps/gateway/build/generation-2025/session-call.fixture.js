/** A call in a session as methods get it, for tests. */
import { callWith } from '../rpc/call.fixture.js';
export function sessionCallWith(...of) {
    const call = callWith(...of);
    return {
        ...call,
        session: { ...call.requester, id: 's', isStored: true },
        scope: {
            ...call.scope,
            closeStream: () => undefined,
            whenOver: () => () => undefined,
            stream: { holder: { streamId: 's', epoch: 1, gatewayId: 'g' }, hasSent: () => false, bind: () => undefined },
        },
    };
}
//# sourceMappingURL=session-call.fixture.js.map