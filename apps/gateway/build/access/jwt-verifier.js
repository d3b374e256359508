/** Verifies access tokens that are signed by their issuer (RFC 9068). What the header of a token says of keys counts for nothing but the choice among those of the issuer. */
import { errors, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { CLOCK_TOLERANCE_S, principalOf } from './principal-of-claims.js';
import { IssuerUnavailable } from './signing-keys.js';
import { tokenIdOf } from './token-id.js';
import { TokenRejected } from './token-rejected.js';
/** Tokens whose signature is not verified again. */
const MAX_KNOWN = 10_000;
export function createJwtVerifier({ settings, audiences, scopes, keys }) {
    const { issuer, algorithms, type } = settings;
    // jose checks what its options name, and nothing else.
    const options = {
        issuer,
        audience: [...audiences],
        algorithms: [...algorithms],
        typ: type,
        requiredClaims: ['iss', 'aud', 'exp'],
        clockTolerance: CLOCK_TOLERANCE_S,
    };
    // A client shows its token with each request, and a signature takes longer to verify than `tasks/get` takes in all.
    const known = new LRUCache({ max: MAX_KNOWN });
    const verify = async (token, id) => {
        const { fresh } = keys;
        const principal = principalOf(await payloadOf(() => jwtVerify(token, keys.keyFor, options)), settings, scopes);
        if (fresh !== undefined)
            known.set(id, { principal, by: fresh });
        return principal;
    };
    return (token, id = tokenIdOf(token)) => {
        const found = known.get(id);
        if (found !== undefined && found.by === keys.fresh && (found.principal.expiresAt ?? 0) > Date.now())
            return found.principal;
        return verify(token, id);
    };
}
async function payloadOf(verify) {
    try {
        return (await verify()).payload;
    }
    catch (error) {
        if (error instanceof IssuerUnavailable || !(error instanceof errors.JOSEError))
            throw error;
        throw new TokenRejected(reasonOf(error), { cause: error });
    }
}
function reasonOf(error) {
    if (error instanceof errors.JWTExpired)
        return 'the token has expired';
    if (error instanceof errors.JWTClaimValidationFailed)
        return `the claim ${error.claim} of the token is not accepted`;
    if (error instanceof errors.JWKSNoMatchingKey)
        return 'the token is signed with a key that its issuer does not have';
    if (error instanceof errors.JWSSignatureVerificationFailed)
        return 'the signature of the token is wrong';
    return 'the token is not accepted';
}
//# sourceMappingURL=jwt-verifier.js.map