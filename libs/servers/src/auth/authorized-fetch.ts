import type { UrlServer } from '../config/server-config.js';
import { sameOriginFetch } from '../transports/same-origin-fetch.js';
import { refusalOf } from './auth-errors.js';
import { type Credentials, credentialsOf } from './credentials.js';

const SESSION = 'mcp-session-id';

/**
 * Fetches from a server with the credentials that we have for it, and once again with new ones when it refuses them. A refusal is an error,
 * and no answer: as an answer it could be taken for a list without entries.
 *
 * @throws ServerAuthError; AuthorizationServerAway; what `sameOriginFetch` throws
 */
export async function authorizedFetch(
  config: UrlServer,
  input: string | URL,
  init: RequestInit,
  credentials: Credentials = credentialsOf(config),
): Promise<Response> {
  const given = new Headers(init.headers);
  for (let isAgain = false; ; isAgain = true) {
    const own = await credentials.headers();
    const headers = new Headers(own);
    // Those of the protocol are the transport's.
    for (const [name, value] of given) headers.set(name, value);
    const response = await sameOriginFetch(input, { ...init, headers });
    const { status } = response;
    const challenge = response.headers.get('www-authenticate');
    if (status === 401 && !isAgain && credentials.refuse(own)) {
      await response.body?.cancel();
      continue;
    }
    // Some servers say 401 of a session that they have forgotten. Whether it is that shows when another one is opened.
    const isRefused = status === 401 ? !given.has(SESSION) : status === 403 && /error="insufficient_scope"/i.test(challenge ?? '');
    if (!isRefused) return response;
    await response.body?.cancel();
    throw refusalOf(config.name, status, challenge, Object.keys(own).length > 0);
  }
}
