import { isSessionId, type Session, type SessionStore } from '@longhaul/sessions/gateway';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import type { IncomingHttpHeaders } from 'node:http';
import { acceptedForms, JSON_TYPE, SSE_TYPE } from '../rpc/accepted-forms.js';
import { accountsOfCaller, type AuthenticatedRequest, type Identity, type TaskCaller, taskCallerOf } from '../rpc/caller.js';
import { Refusal, RpcCode, SESSION_ENDED } from '../rpc/errors.js';
import type { Endpoint } from './endpoint.js';
import { ownerOfSession } from './methods/initialize.js';
import { statelessSession } from './stateless-sessions.js';

/** A POST is answered with JSON or a stream, so its client must accept one of them. @throws Refusal 406, 415 */
export function checkPostTypes({ accept, 'content-type': contentType = '' }: IncomingHttpHeaders): void {
  const { json, stream } = acceptedForms(accept);
  if (!json && !stream) throw new Refusal(406, RpcCode.Transport, `Not Acceptable: Client must accept ${JSON_TYPE} or ${SSE_TYPE}`);
  if (contentType !== JSON_TYPE && contentType.split(';', 1)[0]?.trim().toLowerCase() !== JSON_TYPE)
    throw new Refusal(415, RpcCode.Transport, `Unsupported Media Type: Content-Type must be ${JSON_TYPE}`);
}

/** @throws Refusal 406 */
export function checkStreamType({ accept }: IncomingHttpHeaders): void {
  if (!acceptedForms(accept).stream) throw new Refusal(406, RpcCode.Transport, `Not Acceptable: Client must accept ${SSE_TYPE}`);
}

/**
 * The session id in the headers; the session need not exist.
 *
 * @returns undefined when they contain none
 * @throws Refusal 400 for a protocol version that is not supported
 */
export function sessionIdOf(headers: IncomingHttpHeaders): string | undefined {
  const sessionId = headers['mcp-session-id'];
  if (typeof sessionId !== 'string') return undefined;
  checkProtocolVersion(headers);
  return sessionId;
}

/** @throws Refusal 400 for a protocol version that is not supported */
function checkProtocolVersion(headers: IncomingHttpHeaders): void {
  const version = headers['mcp-protocol-version'];
  if (version !== undefined && (typeof version !== 'string' || !SUPPORTED_PROTOCOL_VERSIONS.includes(version)))
    throw new Refusal(
      400,
      RpcCode.Transport,
      `Bad Request: Unsupported protocol version: ${String(version)} (supported versions: ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')})`,
    );
}

/** @throws Refusal 400 when the headers name no session, or an unsupported protocol version */
export function requireSessionId(headers: IncomingHttpHeaders): string {
  const sessionId = sessionIdOf(headers);
  if (sessionId === undefined) throw new Refusal(400, RpcCode.Transport, 'Bad Request: Mcp-Session-Id header is required');
  return sessionId;
}

/**
 * @throws Refusal 404 when there is no such session, or it has ended, or it belongs to another caller; the refusal of the request's limit
 */
export async function loadSession(sessions: SessionStore, sessionId: string, identity: Identity): Promise<Session> {
  const { auth, neededScopes, counted } = identity;
  const loading = isSessionId(sessionId) ? sessions.load(sessionId) : undefined;
  if (counted !== undefined) {
    // Both results are on their way. A client over its limit learns nothing about sessions.
    loading?.catch(() => undefined);
    await counted();
  }
  const session = await loading;
  if (session === undefined || session.owner !== ownerOfSession(sessionId, identity)) throw sessionNotFound();
  const accounts = accountsOfCaller(identity, session.owner);
  return {
    ...session,
    ...(accounts !== undefined && { accounts }),
    ...(auth !== undefined && { auth }),
    ...(neededScopes !== undefined && { neededScopes }),
  };
}

export function sessionNotFound(): Refusal {
  return new Refusal(SESSION_ENDED.httpStatus, SESSION_ENDED.code, SESSION_ENDED.message);
}

/**
 * The session of a request, which is being loaded, and its owner if it exists.
 *
 * @throws Refusal 400 when the headers name none although there are sessions, or an unsupported protocol version
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
  return { loading: loadSession(sessions, sessionId, request), caller: { owner: ownerOfSession(sessionId, request), auth, neededScopes } };
}

async function whenCounted({ counted }: Identity, session: Session): Promise<Session> {
  await counted?.();
  return session;
}
