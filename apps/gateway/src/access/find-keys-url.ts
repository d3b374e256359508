import { isJsonObject } from '@longhaul/tasks';
import type { fetchJson } from './fetch-json.js';
import { isSecureUrl } from './issuer-settings.js';

/** Where the metadata of an issuer may be: RFC 8414 (section 3.1), and OpenID Connect Discovery (section 4) for those that are older. */
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
 * Finds out where an issuer has its keys.
 *
 * @throws Error with a line for each place that was looked at
 */
export async function findKeysUrl(issuer: string, fetchObject: typeof fetchJson): Promise<string> {
  const problems: string[] = [];
  for (const url of metadataUrls(issuer)) {
    try {
      const metadata = await fetchObject(url);
      const { jwks_uri: keys } = isJsonObject(metadata) ? metadata : {};
      if (metadata['issuer'] !== issuer) problems.push(`${url} is about another issuer than ${issuer}`);
      else if (typeof keys === 'string' && isSecureUrl(keys)) return keys;
      else problems.push(`${url} names no jwks_uri that could be trusted`);
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  throw new Error(problems.join('; '));
}
