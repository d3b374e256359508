import type { Endpoint } from './endpoint.js';

/** Ends a session on all gateways. @returns false when there was none */
export async function endSession({ sessions, control, clearSession }: Endpoint, sessionId: string): Promise<boolean> {
  if (!(await sessions.end(sessionId))) return false;
  await Promise.all([control.tell({ type: 'session-ended', sessionId }), clearSession(sessionId)]);
  return true;
}
