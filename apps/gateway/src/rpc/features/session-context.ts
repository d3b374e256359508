import type { SessionContext } from '@longhaul/mcp-features';
import { type ClientNotification, listChangedNotification, type SessionJobs, type SessionState, sessionValues } from '@longhaul/sessions';

/** The parts of a session's context. */
export interface SessionContextDeps {
  readonly state: SessionState;
  readonly jobs: SessionJobs;
  /** Whether the session still exists. */
  readonly isThere: (sessionId: string) => Promise<boolean>;
  /** Notifies the session, without waiting for it. */
  readonly notify: (sessionId: string, notification: ClientNotification) => void;
}

/**
 * The session in the form that features see.
 *
 * @param account that its values are counted under
 */
export function sessionContext(id: string, account: string, { state, jobs, isThere, notify }: SessionContextDeps): SessionContext {
  return {
    ...sessionValues(state, id, account),
    listChanged: (list) => notify(id, listChangedNotification(list)),
    async startJob(name) {
      const isStarted = await jobs.start(id, name, account);
      // If the session has ended in the meantime, nothing would end the job.
      if (!isStarted || (await isThere(id))) return isStarted;
      await jobs.stop(id, name);
      return false;
    },
    stopJob: (name) => jobs.stop(id, name),
  };
}
