/**
 * What a caller is answered that may not come in, or may not do what it asks for, in the words of RFC 6750 (section 3) and RFC 9728
 * (section 5.1): by the header a client finds out where to get a token, and what to ask for.
 */
import { Refusal, RpcCode } from './errors.js';
export function createChallenges({ resourceMetadata, scopes, dpop }) {
    const challengeOf = (scheme, error, asked, algorithms) => {
        const parameters = [
            ...(error === undefined ? [] : [`error="${error[0]}"`, `error_description="${error[1]}"`]),
            ...(algorithms.length > 0 ? [`algs="${algorithms.join(' ')}"`] : []),
            ...(asked.length > 0 ? [`scope="${asked.join(' ')}"`] : []),
            ...(resourceMetadata === undefined ? [] : [`resource_metadata="${resourceMetadata}"`]),
        ];
        return parameters.length === 0 ? scheme : `${scheme} ${parameters.join(', ')}`;
    };
    const challenge = (error, asked) => {
        if (dpop?.of === 'all')
            return { 'www-authenticate': challengeOf('DPoP', error, asked, dpop.algorithms) };
        // Clients that know one scheme only read the first.
        const bound = dpop === undefined ? '' : `, DPoP algs="${dpop.algorithms.join(' ')}"`;
        return { 'www-authenticate': challengeOf('Bearer', error, asked, []) + bound };
    };
    return {
        missing: () => new Refusal(401, RpcCode.Transport, 'Unauthorized: a bearer token is required', challenge(undefined, scopes)),
        invalid: (reason) => new Refusal(401, RpcCode.Transport, `Unauthorized: ${reason}`, challenge(['invalid_token', reason], scopes)),
        unproven: (reason, algorithms) => new Refusal(401, RpcCode.Transport, `Unauthorized: ${reason}`, {
            'www-authenticate': challengeOf('DPoP', ['invalid_dpop_proof', reason], scopes, algorithms),
        }),
        insufficient(needed) {
            const reason = `the token lacks a scope; this takes ${needed.join(' ')}`;
            const header = challenge(['insufficient_scope', 'the token lacks a scope'], needed);
            return new Refusal(403, RpcCode.Transport, `Forbidden: ${reason}`, header, { reason: 'INSUFFICIENT_SCOPE', scopes: needed });
        },
    };
}
//# sourceMappingURL=challenges.js.map