import type { ClientInfo } from '@longhaul/tasks';
import type { Session } from '../sessions/session.js';

/** The client of a session, as tools see it and tasks record it. */
export function clientInfoOf(session: Session): ClientInfo {
  return { generation: '2025-11-25', protocolVersion: session.protocolVersion, ...session.client() };
}
