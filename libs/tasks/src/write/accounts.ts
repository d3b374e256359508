/**
 * Finds the accounts under which tasks are counted for the limits: their owner and, if the caller is not identified, the address that it
 * calls from. A client that can be any number of owners has one address.
 */
import { createHash } from 'node:crypto';
import type { TaskCreatedData } from '../domain/events.js';

const ADDRESS = 'address:';

/** The account of a network address. It holds a hash: the address itself is not stored. */
export function addressAccount(address: string): string {
  return `${ADDRESS}${createHash('sha256').update(address).digest('base64url').slice(0, 22)}`;
}

/** Whether the account stands for an address. */
export function isAddressAccount(account: string): boolean {
  return account.startsWith(ADDRESS);
}

/** All accounts under which a task is counted. */
export function accountsOf({ owner, accounts = [owner] }: Pick<TaskCreatedData, 'owner' | 'accounts'>): readonly string[] {
  return accounts;
}
