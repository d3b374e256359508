import type { fetchJson } from './fetch-json.js';
import { isSecureUrl } from '@longhaul/runtime/signing-settings';

/** The possible places of an issuer's metadata: RFC 8414 (section 3.1), and OpenID Connect Discovery (section 4) for older issuers. */
function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    ...new Set([
      `${origin}/.well-known/oauth-authorization-server${path}`,
      `${origin}/.well-known/openid-configuration${path}`,
      `${origin}${path}/.well-known/openid-configuration`,
    ]),
  ];
}

/**
 * Finds the URL of an issuer's keys. All places are asked at the same time, because a request waits for the answer.
 *
 * @throws Error with a line for each place
 */
export async function findKeysUrl(issuer: string, fetchObject: typeof fetchJson): Promise<string> {
  try {
    return await Promise.any(metadataUrls(issuer).map((url) => keysUrlIn(url, issuer, fetchObject)));
  } catch (error) {
    const problems = error instanceof AggregateError ? (error.errors as Error[]) : [error as Error];
    throw new Error(problems.map(({ message }) => message).join('; '), { cause: error });
  }
}

async function keysUrlIn(url: string, issuer: string, fetchObject: typeof fetchJson): Promise<string> {
  const { issuer: named, jwks_uri: keys } = await fetchObject(url);
  if (named !== issuer) throw new Error(`${url} is about another issuer than ${issuer}`);
  if (typeof keys !== 'string' || !isSecureUrl(keys)) throw new Error(`${url} names no jwks_uri that could be trusted`);
  return keys;
}
