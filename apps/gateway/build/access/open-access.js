import { createFindHolder } from '@longhaul/runtime/tokens';
import { ownerOfUser } from '@longhaul/sessions';
import { createChallenges } from '../rpc/challenges.js';
import { createRequestScopes, knownScopes, NO_SCOPES } from '../rpc/request-scopes.js';
import { createAuthenticator } from './authenticator.js';
import { PROOF_ALGORITHMS } from './proof-algorithms.js';
import { metadataUrl, resourceMetadata } from './resource.js';
export async function openAccess({ config, features, served, revoked, rates, title, onError }) {
    const { tokens, issuers = [], publicUrl, scopes = NO_SCOPES } = config;
    const known = knownScopes(features, scopes);
    const hasIssuers = publicUrl !== undefined && issuers.length > 0;
    const challenges = createChallenges({
        resourceMetadata: hasIssuers ? metadataUrl(publicUrl) : undefined,
        // Who begins with less than everything is asked for the rest when it is needed.
        scopes: !hasIssuers ? [] : scopes.required.length > 0 ? scopes.required : known,
        dpop: boundTokensOf(config),
    });
    return {
        authenticate: tokens === undefined && !hasIssuers ? undefined : await authenticatorOf(config, { challenges, revoked, rates, onError }),
        requestScopes: {
            '2025-11-25': createRequestScopes(served['2025-11-25'], scopes),
            '2026-07-28': createRequestScopes(served['2026-07-28'], scopes),
        },
        challenges,
        metadata: hasIssuers
            ? resourceMetadata(publicUrl, issuers.map(({ issuer }) => issuer), { scopes: known, title, isBound: boundTokensOf(config)?.of === 'all' })
            : undefined,
    };
}
/** Which callers need tokens that are bound to keys; static tokens never are. */
function boundTokensOf({ issuers = [], tokens }) {
    const requiring = issuers.filter(({ dpop }) => dpop === 'required').length;
    if (requiring === 0)
        return undefined;
    return { algorithms: PROOF_ALGORITHMS, of: requiring === issuers.length && tokens === undefined ? 'all' : 'some' };
}
async function authenticatorOf({ tokens = new Map(), issuers = [], publicUrl, scopes = NO_SCOPES }, { rates, ...shared }) {
    const holders = new Map([...tokens].map(([token, name]) => [token, { owner: ownerOfUser(name), subject: name }]));
    const findHolder = createFindHolder(holders);
    const none = new Map();
    if (publicUrl === undefined || issuers.length === 0)
        return createAuthenticator({ ...shared, findHolder, issuers: none, introspect: undefined });
    // Nobody else needs to load what verifies signatures.
    const [{ createVerifiers }, { createProofCheck }] = await Promise.all([import('./verifiers.js'), import('./dpop-proof.js')]);
    const proofs = { algorithms: PROOF_ALGORITHMS, check: createProofCheck({ publicUrl, rates }) };
    return createAuthenticator({
        ...shared,
        proofs,
        findHolder,
        ...createVerifiers({ issuers, publicUrl, scopes, onError: shared.onError }),
    });
}
//# sourceMappingURL=open-access.js.map