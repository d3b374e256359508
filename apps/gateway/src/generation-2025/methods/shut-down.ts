import { ProtocolError } from '@longhaul/mcp-features';
import type { SessionStore } from '../../state/session.js';
import { RpcCode } from '../../rpc/errors.js';
import type { Method } from '../../rpc/method.js';

/** `shutdown`: the session takes nothing any more but the notification `exit`, which ends it. */
export function shutDownSession(sessions: SessionStore): Method {
  return {
    name: 'shutdown',
    kind: 'acts',
    async handle({ session }) {
      await sessions.shutDown(session.id);
      return {};
    },
  };
}

/** `shutdown` where there are no sessions. The process serves others as well, so a client just stops to ask. */
export const shutDownNothing: Method = {
  name: 'shutdown',
  kind: 'reads',
  handle() {
    throw new ProtocolError(RpcCode.MethodNotFound, 'Method not found: shutdown ends a session, and this server keeps none.');
  },
};
