import type { SessionStore } from '../sessions/session.js';
import type { Method } from './method.js';

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
