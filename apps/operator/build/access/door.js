/** Who is let in: holders of a token, and browsers in which one of them has logged in. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createFindHolder } from '@longhaul/runtime/tokens';
/** How long a login lasts. */
export const SESSION_MS = 12 * 3_600_000;
/**
 * A session is signed with the token itself, so it needs no store, holds at every process that knows the token, and ends with it.
 *
 * @param tokens who holds them
 */
export function createDoor(tokens) {
    const known = [...tokens].map(([token, operator]) => ({ token, operator }));
    return {
        byToken: createFindHolder(tokens),
        bySession(value, now) {
            const [until = '', signature = ''] = value.split('.');
            const given = Buffer.from(signature, 'base64url');
            const isSignedWith = (token) => {
                const expected = signatureOf(token, until);
                return given.length === expected.length && timingSafeEqual(given, expected);
            };
            const signer = known.reduce((found, { token, operator }) => (isSignedWith(token) ? operator : found), undefined);
            return Number(until) > now ? signer : undefined;
        },
        session(token, now) {
            const until = String(now + SESSION_MS);
            return `${until}.${signatureOf(token, until).toString('base64url')}`;
        },
    };
}
function signatureOf(token, until) {
    return createHmac('sha256', token).update(`longhaul operator session ${until}`).digest();
}
//# sourceMappingURL=door.js.map