import type { Session, SessionStore } from '@longhaul/sessions/gateway';
import type { Control } from '../cluster/control.js';
import type { GatewayReports } from '../rpc/operation.js';

/** The parts that the end of a session affects. */
export interface SessionEnding {
  readonly sessions: SessionStore;
  readonly control: Pick<Control, 'publish'>;
  /** Removes what features stored for a session. */
  readonly clearSession: (sessionId: string) => Promise<void>;
  readonly reports: Pick<GatewayReports, 'sessionEnded'>;
}

/** Ends a session on all gateways. @returns false when there was none */
export async function endSession(
  { sessions, control, clearSession, reports }: SessionEnding,
  { id: sessionId, openedAt }: Pick<Session, 'id' | 'openedAt'>,
): Promise<boolean> {
  if (!(await sessions.end(sessionId))) return false;
  reports.sessionEnded(openedAt);
  await Promise.all([control.publish({ type: 'session-ended', sessionId }), clearSession(sessionId)]);
  return true;
}
