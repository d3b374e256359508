import { listChangedNews, type SessionContext, type SessionJobs, sessionValues } from '@longhaul/mcp-features';
import type { ClientNews, SessionState } from '@longhaul/tasks';

/** What a session's context is made of. */
export interface SessionContextDeps {
  readonly state: SessionState;
  readonly jobs: SessionJobs;
  /** Tells the session, without waiting for it. */
  readonly tell: (sessionId: string, news: ClientNews) => void;
}

/** The session, as features see it. */
export function sessionContext(id: string, { state, jobs, tell }: SessionContextDeps): SessionContext {
  return {
    ...sessionValues(state, id),
    listChanged: (list) => tell(id, listChangedNews(list)),
    startJob: (name) => jobs.start(id, name),
    stopJob: (name) => jobs.stop(id, name),
  };
}
