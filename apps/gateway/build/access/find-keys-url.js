import { isSecureUrl } from './issuer-settings.js';
/** Where the metadata of an issuer may be: RFC 8414 (section 3.1), and OpenID Connect Discovery (section 4) for those that are older. */
function metadataUrls(issuer) {
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
 * Finds out where an issuer has its keys. All places are asked at the same time: a request waits for the answer.
 *
 * @throws Error with a line for each place that was looked at
 */
export async function findKeysUrl(issuer, fetchObject) {
    try {
        return await Promise.any(metadataUrls(issuer).map((url) => keysUrlIn(url, issuer, fetchObject)));
    }
    catch (error) {
        const problems = error instanceof AggregateError ? error.errors : [error];
        throw new Error(problems.map(({ message }) => message).join('; '), { cause: error });
    }
}
async function keysUrlIn(url, issuer, fetchObject) {
    const { issuer: named, jwks_uri: keys } = await fetchObject(url);
    if (named !== issuer)
        throw new Error(`${url} is about another issuer than ${issuer}`);
    if (typeof keys !== 'string' || !isSecureUrl(keys))
        throw new Error(`${url} names no jwks_uri that could be trusted`);
    return keys;
}
//# sourceMappingURL=find-keys-url.js.map