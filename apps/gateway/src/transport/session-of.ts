import type { AuthenticatedRequest } from '../auth/authenticate.js';
import { ownerOfSession } from '../methods/initialize.js';
import type { Session } from '../sessions/session.js';
import { statelessSession } from '../sessions/stateless-sessions.js';
import type { Endpoint } from './endpoint.js';
import { checkProtocolVersion, loadSession, requireSessionId } from './header-checks.js';

/**
 * The session of a request, which is on its way, and whose it is if it exists.
 *
 * @throws Refusal 400 when the headers name none though there are sessions, or a protocol version that is not supported
 */
export function sessionOf(
  { isStateless, sessions }: Endpoint,
  { headers, auth }: Pick<AuthenticatedRequest, 'headers' | 'auth'>,
): { readonly loading: Promise<Session>; readonly owner: string } {
  if (isStateless) {
    checkProtocolVersion(headers);
    const session = statelessSession(headers, auth);
    return { loading: Promise.resolve(session), owner: session.owner };
  }
  const sessionId = requireSessionId(headers);
  return { loading: loadSession(sessions, sessionId, auth), owner: ownerOfSession(sessionId, auth) };
}
