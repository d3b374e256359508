import { openMemoryStore } from '@longhaul/store-sqlite';
import { ANONYMOUS_OWNER } from '@longhaul/sessions';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { callWith } from '../call.fixture.js';
import { createOwners, type OwningCall } from './owners.js';

const IDLE_MS = 60_000;
const ADDRESS = 'address:a';

const ownersOf = () => createOwners({ store: openMemoryStore(), sessionIdleMs: IDLE_MS, logger: pino({ level: 'silent' }) });
const callOf = (owner: string, of: Partial<OwningCall['requester']> = {}, sessionId?: string): OwningCall => ({
  requester: { ...callWith().requester, owner, ...of },
  ...(sessionId !== undefined && { sessionId }),
});

const auth = { owner: 'user:ada', subject: 'ada' };
const known = callOf('user:ada', { auth }, 's');
const session = callOf('session:s', { accounts: ['session:s', ADDRESS] }, 's');
const secret = callOf('secret:x', { accounts: ['secret:x', ADDRESS] });
const stranger = callOf(ANONYMOUS_OWNER, { accounts: [ADDRESS] });

describe('the owner of the records of a call', () => {
  it('is the known caller for ever, otherwise the session or the secret for as long as it is used, counted under the address', () => {
    const { ownerOf } = ownersOf();
    expect(ownerOf(known)).toEqual({ id: 'user:ada' });
    expect(ownerOf(session)).toEqual({ id: 'session:s', account: ADDRESS, idleMs: IDLE_MS });
    for (const call of [secret, { ...secret, sessionId: 's' }])
      expect(ownerOf(call)).toEqual({ id: 'secret:x', account: ADDRESS, idleMs: 30 * 24 * 3_600_000 });
  });

  it('is nobody where nothing is known of the caller', () => {
    const { ownerOf, contextOf } = ownersOf();
    expect([ownerOf(stranger), contextOf(stranger)]).toEqual([undefined, undefined]);
  });

  it('is the one user for ever where there is no other one', () => {
    const { ownerOf } = ownersOf();
    for (const sessionId of ['s', undefined]) expect(ownerOf(callOf('local', {}, sessionId))).toEqual({ id: 'local' });
  });
});
