/**
 * Requests to authorization servers. Hosts that the file names may be anywhere. Other hosts are named by servers and by metadata, so they
 * have to be at public addresses: nothing that a server says makes us ask inside of our own network. No redirect is followed, because
 * requests have secrets in them.
 */
import { fetch, guardedAgent, rootCause, systemNetwork } from '@longhaul/runtime/guarded-agent';
import { isSecureUrl } from '@longhaul/runtime/signing-settings';
import { boundedResponse } from '../transports/bounded-response.js';
import { AuthorizationServerAway } from './auth-errors.js';

const REQUEST_MS = 10_000;
const CONNECT_MS = 5_000;
/** Of an answer: metadata and tokens are much smaller. */
const MAX_BYTES = 256 * 1024;

const guarded = guardedAgent(systemNetwork(false), CONNECT_MS);
const unguarded = guardedAgent(systemNetwork(true), CONNECT_MS);

/** The part of `fetch` that is needed. */
export type AuthFetch = (url: string, init: object) => Promise<Response>;

/**
 * @param named URLs of the file
 * @returns a `fetch` that throws AuthorizationServerAway
 */
export function createAuthFetch(named: readonly string[]): AuthFetch {
  const hosts = new Set(named.map((url) => new URL(url).hostname));
  return async (url, init) => {
    // The path, but not the query: metadata choose it.
    const shown = isSecureUrl(url) ? `${new URL(url).origin}${new URL(url).pathname}` : 'an authorization server';
    try {
      if (!isSecureUrl(url)) throw new Error('its URL must be https');
      const dispatcher = hosts.has(new URL(url).hostname) ? unguarded : guarded;
      // The types of undici and of Node say the same in different words.
      const request = { ...init, redirect: 'manual', dispatcher, signal: AbortSignal.timeout(REQUEST_MS) } as unknown;
      const response = (await fetch(url, request as Parameters<typeof fetch>[1])) as unknown as Response;
      if (response.status >= 300 && response.status < 400) {
        await response.body?.cancel();
        throw new Error('it redirects, which is not followed');
      }
      return await wholeResponse(response);
    } catch (error) {
      throw new AuthorizationServerAway(`${shown} cannot be asked: ${rootCause(error).message}`, { cause: error });
    }
  };
}

/** Reads all of it now, so that an answer that never ends fails here. */
async function wholeResponse(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  return new Response(await boundedResponse(response, MAX_BYTES).arrayBuffer(), { status, statusText, headers });
}
