import { createHash } from 'node:crypto';
import { ANONYMOUS_OWNER, ownerOfSecretHash } from '@longhaul/sessions';
import { addressAccount } from '@longhaul/tasks';
import { Refusal, RpcCode } from './errors.js';
import { networkOf } from './network-of.js';
const LOCAL_ACCOUNT = addressAccount(networkOf(undefined));
/** Who makes a request, to whom asks for tasks. */
export function taskCallerOf({ owner, auth, neededScopes }) {
    return { owner, auth, neededScopes };
}
/** Whom the limits count what a caller opens: the caller if it is known, otherwise its address. */
export function accountOf({ auth, addressAccount = LOCAL_ACCOUNT }) {
    return auth === undefined ? addressAccount : auth.owner;
}
/** Whom the limits of requests count; nobody on a socket that only the user of this machine can open. */
export function accountToLimit(identity) {
    const account = accountOf(identity);
    return account === LOCAL_ACCOUNT ? undefined : account;
}
/** Under whom the tasks of an owner are counted, if not under the owner alone. */
export function accountsOfCaller({ auth, addressAccount = LOCAL_ACCOUNT }, owner) {
    // Who may open the gateway's socket is the user of this machine, and no stranger.
    if (auth !== undefined || addressAccount === LOCAL_ACCOUNT)
        return undefined;
    return owner === ANONYMOUS_OWNER ? [addressAccount] : [owner, addressAccount];
}
/** The caller as features see it, and as tasks record it. */
export function callerAuthOf({ owner: _owner, expiresAt: _expiresAt, issuedAt: _issuedAt, boundTo: _boundTo, whenRevoked: _whenRevoked, ...auth }) {
    return auth;
}
/** Whose a request is that has no session. */
export function callerWithoutSession({ auth, secretOwner }) {
    return auth === undefined ? (secretOwner ?? ANONYMOUS_OWNER) : auth.owner;
}
/** By its value, a caller whom nobody knows can show that it is the same one as before. */
export const CALLER_SECRET_HEADER = 'longhaul-caller-secret';
const SECRET = /^[\w.~+/=-]{32,512}$/;
/** Who owns what the caller with the secret creates. @throws Refusal 400 for one that could be guessed, or is no text of a header */
export function ownerOfSecret(secret) {
    if (secret === undefined)
        return undefined;
    if (typeof secret === 'string' && SECRET.test(secret))
        return ownerOfSecretHash(createHash('sha256').update(secret).digest('base64url').slice(0, 22));
    const allowed = 'must have 32 to 512 random letters, digits or any of . _ ~ + / = -';
    throw new Refusal(400, RpcCode.Transport, `Bad Request: ${CALLER_SECRET_HEADER} ${allowed}`);
}
//# sourceMappingURL=caller.js.map