/**
 * Asks an issuer about tokens that only it can read (RFC 7662). Its answers are kept for a moment, by a hash of the token; those about
 * tokens that are not good are kept as well, so that one that is sent again and again is asked about once.
 */
import { Semaphore } from '@longhaul/runtime/semaphore';
import { LRUCache } from 'lru-cache';
import { CLOCK_TOLERANCE_S, principalOf } from './principal-of-claims.js';
import { IssuerUnavailable } from './signing-keys.js';
import { tokenIdOf } from './token-id.js';
import { TokenRejected } from './token-rejected.js';
const MAX_KEPT = 10_000;
/** What an access token is called; one of a key is checked for that. */
const ACCESS_TYPES = new Set(['bearer', 'dpop']);
/** Questions that are on their way at the same time, and all of them with those that wait for that: more would be answered too late. */
const MAX_ASKED = 32;
const MAX_WAITING = 64;
export function createIntrospection(options) {
    const { settings, clientSecret, fetchObject, onError } = options;
    const { url, clientId, cacheMs } = settings.introspection;
    const credentials = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64');
    const headers = { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' };
    const places = new Semaphore(MAX_ASKED);
    const kept = new LRUCache({ max: MAX_KEPT, ...(cacheMs > 0 && { ttl: cacheMs }) });
    let waiting = 0;
    const ask = async (token) => {
        if (waiting >= MAX_WAITING)
            throw new IssuerUnavailable(`${settings.issuer} is asked about too many tokens at once.`);
        waiting += 1;
        const leave = await places.enter();
        try {
            const body = new URLSearchParams({ token, token_type_hint: 'access_token' }).toString();
            return await fetchObject(url, { method: 'POST', headers, body });
        }
        catch (error) {
            onError(error);
            throw new IssuerUnavailable(`${settings.issuer} does not say what a token is worth.`, { cause: error });
        }
        finally {
            waiting -= 1;
            leave();
        }
    };
    const verify = async (token) => principalOf(checked(await ask(token), options), settings, options.scopes);
    return async (token, id = tokenIdOf(token)) => {
        const known = kept.get(id);
        const asking = known ?? verify(token);
        if (known === undefined && cacheMs > 0) {
            kept.set(id, asking);
            asking.catch((error) => {
                if (!(error instanceof TokenRejected) && kept.peek(id) === asking)
                    kept.delete(id);
            });
        }
        const principal = await asking;
        if ((principal.expiresAt ?? 0) <= Date.now())
            throw new TokenRejected('the token has expired');
        return principal;
    };
}
/** @throws TokenRejected for what is not for this endpoint, or not now */
function checked(answer, { settings, audiences }) {
    const { active, iss = settings.issuer, aud, exp, nbf = 0, token_type: type } = answer;
    const nowS = Date.now() / 1_000;
    if (active !== true)
        throw new TokenRejected('the token is not known, or is over');
    // Issuers answer for refresh tokens too, which have the same audience.
    if (type !== undefined && (typeof type !== 'string' || !ACCESS_TYPES.has(type.toLowerCase())))
        throw new TokenRejected('the token is no bearer token');
    if (iss !== settings.issuer)
        throw new TokenRejected('the claim iss of the token is not accepted');
    const named = Array.isArray(aud) ? aud : [aud];
    if (!named.some((one) => typeof one === 'string' && audiences.includes(one)))
        throw new TokenRejected('the claim aud of the token is not accepted');
    if (typeof exp !== 'number' || exp + CLOCK_TOLERANCE_S <= nowS)
        throw new TokenRejected('the token has expired, or has no end');
    if (typeof nbf !== 'number' || nbf - CLOCK_TOLERANCE_S > nowS)
        throw new TokenRejected('the claim nbf of the token is not accepted');
    return answer;
}
//# sourceMappingURL=introspection.js.map