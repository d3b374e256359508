import type { IncomingMessage } from 'node:http';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';

/**
 * Finds out who makes a request.
 *
 * @param authorization the header of that name
 * @throws Refusal 401 for one who is not let in
 */
export type Authenticate = (authorization: string | undefined) => AuthInfo;

/** A request that has been let in; without authentication nobody is known. */
export type AuthenticatedRequest = IncomingMessage & { auth?: AuthInfo };

/** Who owns what a known caller creates, in whatever session and generation of the protocol. */
export function ownerOf({ clientId }: AuthInfo): string {
  return `user:${clientId}`;
}
