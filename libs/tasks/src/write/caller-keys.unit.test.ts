import { describe, expect, it } from 'vitest';
import { ANONYMOUS_OWNER, ownerOfSecretHash, ownerOfUser } from '../domain/owner-names.js';
import { callerKeys } from './caller-keys.js';

const ada = ownerOfUser('ada');

describe('the keys of a caller', () => {
  it('are those of its session, whoever else it is', () => {
    const inSession = callerKeys({ owner: ada, sessionId: 'one' });
    expect(callerKeys({ owner: ada, sessionId: 'one' }).key).toBe(inSession.key);
    expect(callerKeys({ owner: ada, sessionId: 'two' }).key).not.toBe(inSession.key);
    expect(inSession.key).not.toContain('one');
  });

  it('are those of its token or its secret where there is no session, and never those of a session of that name', () => {
    const secret = ownerOfSecretHash('x');
    const keys = [ada, secret].map((owner) => callerKeys({ owner, accounts: [owner, 'address:a'] }).key);
    expect(new Set([...keys, callerKeys({ owner: ada, sessionId: ada }).key]).size).toBe(3);
  });

  it('are none where nothing is known of it, but its address is counted', () => {
    const [one, other] = ['address:a', 'address:b'].map((address) => callerKeys({ owner: ANONYMOUS_OWNER, accounts: [address] }));
    expect([one?.key, other?.key]).toEqual([undefined, undefined]);
    expect(one?.account).not.toBe(other?.account);
  });
});
