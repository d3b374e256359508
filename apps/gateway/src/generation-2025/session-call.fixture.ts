/** Makes a call in a session, in the form that methods receive, for tests. */
import { callWith } from '../rpc/call.fixture.js';
import type { SessionCall } from './requests/session-call.js';

export function sessionCallWith(...of: Parameters<typeof callWith>): SessionCall {
  const call = callWith(...of);
  return {
    ...call,
    session: { ...call.requester, id: 's', isStored: true },
    scope: {
      ...call.scope,
      takesMessages: true,
      hasHungUp: false,
      closeStream: () => undefined,
      whenOver: () => () => undefined,
      stream: { holder: { streamId: 's', epoch: 1, gatewayId: 'g' }, hasSent: () => false, bind: () => undefined },
    },
  };
}
