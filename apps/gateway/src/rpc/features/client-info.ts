import type { ClientInfo } from '@longhaul/tasks';
import type { Session } from '../../state/session.js';

/** The client of a session, as tools see it and tasks record it. */
export function clientInfoOf(session: Session): ClientInfo {
  const { generation, protocolVersion } = session;
  return { generation, protocolVersion, ...session.client() };
}
