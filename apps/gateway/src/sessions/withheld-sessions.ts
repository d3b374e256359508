import type { Session, SessionStore } from '@longhaul/sessions/gateway';

/** Knows what is withheld from owners who were revoked. */
export interface Withholding {
  /** Until when what the owner has made is withheld from it, epoch milliseconds; nothing for nearly all owners. */
  withheldUntil(owner: string): number | undefined;
}

/** Sessions, without those that were opened before their owner was revoked: these end when somebody comes for them. */
export function withheldSessions(sessions: SessionStore, revoked: Withholding): SessionStore {
  const isWithheld = ({ owner, openedAt = -Infinity }: Session): boolean => openedAt <= (revoked.withheldUntil(owner) ?? -Infinity);
  return {
    create: (session) => sessions.create(session),
    async load(id) {
      const session = await sessions.load(id);
      if (session === undefined || !isWithheld(session)) return session;
      await sessions.end(id);
      return undefined;
    },
    touch: (id) => sessions.touch(id),
    setLogLevel: (id, level) => sessions.setLogLevel(id, level),
    shutDown: (id) => sessions.shutDown(id),
    end: (id) => sessions.end(id),
  };
}
