/**
 * Under whom tasks are counted for the limits: under their owner and, if nobody has said who the caller is, under the
 * address that it calls from. A client that can be any number of owners has one address.
 */
import { createHash } from 'node:crypto';
const ADDRESS = 'address:';
/** The account of a network address. It holds a hash: the address itself is not stored. */
export function addressAccount(address) {
    return `${ADDRESS}${createHash('sha256').update(address).digest('base64url').slice(0, 22)}`;
}
/** Whether the account is that of an address. */
export function isAddressAccount(account) {
    return account.startsWith(ADDRESS);
}
/** All under whom a task is counted. */
export function accountsOf({ owner, accounts = [owner] }) {
    return accounts;
}
//# sourceMappingURL=accounts.js.map