/** Tokens that settings name, and tokens that requests show. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { list } from './environment.js';
import { isPlaceholder } from './placeholder.js';
/** What to do about a secret that is none. */
export const OWN_SECRET = 'make one of your own, such as the output of openssl rand -hex 32';
/** A setting that names tokens and their holders, `name:token` with more after that if the holder has more; or none. */
export function tokenList({ form, suffix = '()', holderOf }) {
    const pattern = new RegExp(`^([\\w.@-]{1,64}):([\\w.~+/=-]{16,512})${suffix}$`);
    return list
        .removeDefault()
        .transform((items, context) => {
        const refuse = (message) => {
            context.addIssue(message);
            return z.NEVER;
        };
        const found = new Map();
        for (const item of items) {
            const [, name, token, rest = ''] = pattern.exec(item) ?? [];
            if (name === undefined || token === undefined || found.has(token))
                return refuse(`must be ${form}, each token of 16 to 512 characters and only once`);
            if (isPlaceholder(token))
                return refuse(`has a placeholder as the token of ${name}: ${OWN_SECRET}`);
            found.set(token, holderOf(name, rest));
        }
        return found.size > 0 ? found : refuse(`names nobody: must be ${form}`);
    })
        .optional();
}
/** The token that the header `Authorization` shows; nothing where it shows none, or one in another way. */
export function bearerTokenOf(authorization) {
    return /^Bearer +([\w.~+/=-]+)$/i.exec(authorization ?? '')?.[1];
}
/** A token that `Authorization` shows as one that is bound to a key (RFC 9449). */
export function dpopTokenOf(authorization) {
    return /^DPoP +([\w.~+/=-]+)$/i.exec(authorization ?? '')?.[1];
}
/** @param tokens who holds them */
export function createFindHolder(tokens) {
    // Looked up by its hash, so that the time it takes reveals nothing about the tokens.
    const holders = new Map([...tokens].map(([token, holder]) => [hashOf(token), holder]));
    return (token) => holders.get(hashOf(token));
}
function hashOf(token) {
    return createHash('sha256').update(token).digest('hex');
}
//# sourceMappingURL=tokens.js.map