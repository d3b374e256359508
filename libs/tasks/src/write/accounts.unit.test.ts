import { describe, expect, it } from 'vitest';
import { accountsOf, addressAccount, isAddressAccount } from './accounts.js';

describe('the accounts of a task', () => {
  it('are its owner, unless others are named', () => {
    expect(accountsOf({ owner: 'ada' })).toEqual(['ada']);
    expect(accountsOf({ owner: 'session:1', accounts: ['session:1', 'address:a'] })).toEqual(['session:1', 'address:a']);
  });

  it('know that of an address, which names it by a hash', () => {
    const account = addressAccount('203.0.113.7');
    expect(account).toMatch(/^address:[\w-]{22}$/);
    expect(account).toBe(addressAccount('203.0.113.7'));
    expect([isAddressAccount(account), isAddressAccount('user:ada')]).toEqual([true, false]);
  });
});
