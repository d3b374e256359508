import { bearerTokenOf, dpopTokenOf } from '@longhaul/runtime/tokens';
import { within } from '@longhaul/runtime/within';
import { isJsonObject, remembered } from '@longhaul/tasks';
import { Refusal, RpcCode } from '../rpc/errors.js';
import { tokenIdOf } from './token-id.js';
import { TokenRejected } from './token-rejected.js';
/**
 * How long it may take to find out whether a token is good, with all that its issuer is asked. Until then the body of the request is
 * not read, and a client that sends none for 10 s is cut off as a slow one.
 */
export const DEADLINE_MS = 8_000;
/** Tokens of which it is remembered which issuer they name. */
const REMEMBERED_TOKENS = 10_000;
export function createAuthenticator({ findHolder, issuers, introspect, challenges, proofs, revoked, onError, }) {
    const admitted = (principal) => {
        if (revoked === undefined)
            return principal;
        if (revoked.isRevoked(principal))
            throw challenges.invalid('the token has been revoked');
        return { ...principal, whenRevoked: (listener) => revoked.watch(principal, listener) };
    };
    const issuerOf = remembered(REMEMBERED_TOKENS, (_id, token) => issuerNamedBy(token));
    const verifierOf = (token, id) => {
        const issuer = issuerOf(id, token);
        return issuer === undefined ? introspect : issuers.get(issuer);
    };
    const proven = createProven(challenges, proofs);
    const verified = async (work) => {
        try {
            return await within(DEADLINE_MS, work, () => {
                throw new Error(`It has taken more than ${DEADLINE_MS / 1_000} s to find out what a token is worth.`);
            });
        }
        catch (error) {
            if (error instanceof TokenRejected)
                throw challenges.invalid(error.message);
            onError(error);
            throw new Refusal(503, RpcCode.Transport, 'The authorization server does not answer, so nobody can be let in. Try again.', {
                'retry-after': '1',
            });
        }
    };
    const authenticate = (request) => {
        const shown = authorizationsOf(request);
        if (shown.length === 0)
            throw challenges.missing();
        const { token, isBound } = tokenShownBy(shown);
        if (token === undefined)
            throw challenges.invalid(shown.length === 1 ? 'the header Authorization has no bearer token' : 'the header Authorization came more than once');
        const holder = isBound ? undefined : findHolder(token);
        if (holder !== undefined)
            return admitted(holder);
        const id = tokenIdOf(token);
        const verify = verifierOf(token, id);
        if (verify === undefined)
            throw challenges.invalid('the bearer token is not known');
        const known = verify(token, id);
        if (known instanceof Promise || isBound || known.boundTo !== undefined)
            return verified(Promise.resolve(known))
                .then((principal) => proven(principal, { request, token, isBound }))
                .then(admitted);
        return admitted(known);
    };
    return Object.assign(authenticate, { isSigned: createIsSigned(findHolder, issuers) });
}
/** Only a token that names a known issuer is verified by its signature here; a static one may look like that too. */
function createIsSigned(findHolder, issuers) {
    return (request) => {
        const { token, isBound } = tokenShownBy(authorizationsOf(request));
        if (token === undefined)
            return false;
        const issuer = issuerNamedBy(token);
        return issuer !== undefined && issuers.has(issuer) && (isBound || findHolder(token) === undefined);
    };
}
/** A token that is bound to a key is shown as that, and any other one as a bearer token (RFC 9449, section 7.2). @returns what refuses others */
function createProven(challenges, proofs) {
    return async (principal, { request, token, isBound }) => {
        const { boundTo } = principal;
        if (boundTo === undefined && isBound)
            throw challenges.invalid('the token is bound to no key: send it as a bearer token');
        if (boundTo === undefined)
            return principal;
        if (proofs === undefined)
            throw challenges.invalid('the token is bound to a key, which is not looked at here');
        try {
            if (!isBound)
                throw new TokenRejected('the token is bound to a key: send it with the scheme DPoP and a proof');
            await proofs.check(request, token, boundTo);
        }
        catch (error) {
            if (error instanceof TokenRejected)
                throw challenges.unproven(error.message, proofs.algorithms);
            throw error;
        }
        return principal;
    };
}
/** @param shown of more than one none counts @returns the token, and whether it was shown as one that is bound to a key */
function tokenShownBy(shown) {
    const [only, ...more] = shown;
    if (more.length > 0)
        return { token: undefined, isBound: false };
    const bound = dpopTokenOf(only);
    return { token: bound ?? bearerTokenOf(only), isBound: bound !== undefined };
}
/** All of them: Node keeps the first, and a proxy in front may have looked at the last. */
function authorizationsOf({ headers, rawHeaders }) {
    if (headers.authorization === undefined)
        return [];
    let many = 0;
    for (let at = 0; at < rawHeaders.length; at += 2)
        if (rawHeaders[at]?.toLowerCase() === 'authorization')
            many += 1;
    return Array(Math.max(many, 1)).fill(headers.authorization);
}
/** Read without a look at the signature: it decides who looks at that. @returns nothing for a token of no such form, or that names none */
function issuerNamedBy(token) {
    const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(token) ?? [];
    if (payload === undefined)
        return undefined;
    try {
        const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
        return isJsonObject(claims) && typeof claims['iss'] === 'string' ? claims['iss'] : undefined;
    }
    catch {
        return undefined; // Three parts, and yet no claims: one that only its issuer can read.
    }
}
//# sourceMappingURL=authenticator.js.map