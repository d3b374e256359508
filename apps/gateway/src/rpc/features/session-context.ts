import type { SessionContext } from '@longhaul/mcp-features';
import { type ClientNotification, listChangedNotification, type SessionJobs, type SessionState, sessionValues } from '@longhaul/sessions';

/** What a session's context is made of. */
export interface SessionContextDeps {
  readonly state: SessionState;
  readonly jobs: SessionJobs;
  /** Whether there is such a session still. */
  readonly isThere: (sessionId: string) => Promise<boolean>;
  /** Notifies the session, without waiting for it. */
  readonly notify: (sessionId: string, notification: ClientNotification) => void;
}

/**
 * The session, as features see it.
 *
 * @param account under whom its values are counted
 */
export function sessionContext(id: string, account: string, { state, jobs, isThere, notify }: SessionContextDeps): SessionContext {
  return {
    ...sessionValues(state, id, account),
    listChanged: (list) => notify(id, listChangedNotification(list)),
    async startJob(name) {
      const isStarted = await jobs.start(id, name, account);
      // A session that has ended meanwhile has nothing any more by which the job would end.
      if (!isStarted || (await isThere(id))) return isStarted;
      await jobs.stop(id, name);
      return false;
    },
    stopJob: (name) => jobs.stop(id, name),
  };
}
