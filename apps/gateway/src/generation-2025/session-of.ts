import type { Session } from '@longhaul/sessions/gateway';
import { type AuthenticatedRequest, type Identity, type TaskCaller, taskCallerOf } from '../rpc/caller.js';
import { ownerOfSession } from './methods/initialize.js';
import { statelessSession } from './stateless-sessions.js';
import type { Endpoint } from './endpoint.js';
import { checkProtocolVersion, loadSession, requireSessionId } from './header-checks.js';

/**
 * The session of a request, which is on its way, and whose it is if it exists.
 *
 * @throws Refusal 400 when the headers name none though there are sessions, or a protocol version that is not supported
 */
export function sessionOf(
  { isStateless, sessions }: Pick<Endpoint, 'isStateless' | 'sessions'>,
  request: Pick<AuthenticatedRequest, 'headers' | keyof Identity>,
): { readonly loading: Promise<Session>; readonly caller: TaskCaller } {
  const { headers, auth, neededScopes } = request;
  if (isStateless) {
    checkProtocolVersion(headers);
    const session = statelessSession(headers, request);
    return { loading: whenCounted(request, session), caller: taskCallerOf(session) };
  }
  const sessionId = requireSessionId(headers);
  return { loading: loadSession(sessions, sessionId, request), caller: { owner: ownerOfSession(sessionId, auth), auth, neededScopes } };
}

async function whenCounted({ counted }: Identity, session: Session): Promise<Session> {
  await counted?.();
  return session;
}
