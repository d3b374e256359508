import { createHash } from 'node:crypto';
/** What a token is known by where something is kept of it: a hash, so that the token itself is kept nowhere. */
export function tokenIdOf(token) {
    return createHash('sha256').update(token).digest('base64url');
}
//# sourceMappingURL=token-id.js.map