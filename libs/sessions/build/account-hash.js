import { createHash } from 'node:crypto';
/** What an account is counted by: an address need not be known. */
export function hashOfAccount(account) {
    return createHash('sha256').update(account).digest('base64url').slice(0, 22);
}
//# sourceMappingURL=account-hash.js.map