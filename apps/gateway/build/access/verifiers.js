import { fetchJson } from './fetch-json.js';
import { findKeysUrl } from './find-keys-url.js';
import { createIntrospection } from './introspection.js';
import { createJwtVerifier } from './jwt-verifier.js';
import { audiencesOf } from './resource.js';
import { SigningKeys } from './signing-keys.js';
/** @returns what verifies signed tokens, by their issuer, and what asks about those that only their issuer can read */
export function createVerifiers({ issuers, publicUrl, scopes, onError }) {
    const audiencesFor = ({ audiences }) => audiences ?? audiencesOf(publicUrl);
    const introspecting = issuers.flatMap(({ introspection, ...settings }) => {
        if (introspection === undefined)
            return [];
        const { clientSecret, ...asked } = introspection;
        return [{ settings: { ...settings, introspection: asked }, clientSecret, audiences: audiencesFor(settings) }];
    });
    const [introspected] = introspecting;
    return {
        issuers: new Map(issuers.map((settings) => {
            const { issuer, staleMs } = settings;
            const keys = new SigningKeys({ issuer, staleMs, fetchKeys: keysOf(settings), onError });
            return [issuer, createJwtVerifier({ settings, audiences: audiencesFor(settings), scopes, keys })];
        })),
        introspect: introspected && createIntrospection({ ...introspected, scopes, fetchObject: fetchJson, onError }),
    };
}
/** Fetches the keys of an issuer. Where they are is looked up once, and again when they are no longer there. */
function keysOf({ issuer, jwksUri }) {
    let found = jwksUri;
    return async () => {
        found ??= await findKeysUrl(issuer, fetchJson);
        try {
            return await fetchJson(found);
        }
        catch (error) {
            found = jwksUri;
            throw error;
        }
    };
}
//# sourceMappingURL=verifiers.js.map