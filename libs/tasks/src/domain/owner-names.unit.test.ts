import { describe, expect, it } from 'vitest';
import {
  ANONYMOUS_OWNER,
  callerOfOwner,
  keyScopeOf,
  LOCAL_OWNER,
  ownerOfAnonymousSession,
  ownerOfClient,
  ownerOfSecretHash,
  ownerOfSubject,
  ownerOfUser,
  tenantOf,
} from './owner-names.js';

const ISSUER = 'https://login.example.com';

describe('the owners of tokens', () => {
  it('are those of no other token, however its parts are cut', () => {
    const owners = [
      ownerOfSubject({ issuer: ISSUER, name: 'ada' }),
      ownerOfClient({ issuer: ISSUER, name: 'ada' }),
      ownerOfSubject({ issuer: `${ISSUER}:0:`, name: 'ada' }),
      ownerOfSubject({ issuer: ISSUER, name: ':0:ada' }),
      ownerOfSubject({ issuer: ISSUER, tenant: 'a', name: 'da' }),
      ownerOfSubject({ issuer: ISSUER, tenant: 'ad', name: 'a' }),
      ownerOfSubject({ issuer: ISSUER, tenant: 'a:1', name: 'da' }),
      ownerOfUser('ada'),
      ownerOfAnonymousSession('ada'),
      ownerOfSecretHash('ada'),
      ANONYMOUS_OWNER,
      LOCAL_OWNER,
    ];
    expect(new Set(owners).size).toBe(owners.length);
  });

  it('are the same for the same', () => {
    expect(ownerOfSubject({ issuer: ISSUER, name: 'ada' })).toBe('subject:25:https://login.example.com:0::ada');
    expect(ownerOfSubject({ issuer: ISSUER, tenant: 'one', name: 'ada' })).toBe('subject:25:https://login.example.com:3:one:ada');
  });

  it('say who they are, with any characters in their parts', () => {
    for (const given of [
      { issuer: ISSUER, name: 'ada' },
      { issuer: `${ISSUER}:0:`, tenant: '3:one', name: ':0::ada' },
    ]) {
      const { name: subject, ...rest } = given;
      expect(callerOfOwner(ownerOfSubject(given))).toEqual({ ...rest, subject });
      expect(callerOfOwner(ownerOfClient(given))).toEqual({ ...rest, subject });
    }
    expect(callerOfOwner(ownerOfUser('a:b'))).toEqual({ subject: 'a:b' });
    for (const owner of [ownerOfAnonymousSession('ada'), ownerOfSecretHash('ada'), ANONYMOUS_OWNER, LOCAL_OWNER])
      expect(callerOfOwner(owner)).toBeUndefined();
  });
});

describe('the tenant of an owner', () => {
  it.each<[string, string, string]>([
    ['a token names', ownerOfSubject({ issuer: ISSUER, tenant: 'one:1', name: 'ada' }), `${ISSUER}#one:1`],
    ['a token of a client names', ownerOfClient({ issuer: ISSUER, tenant: 'a tenant', name: 'job' }), `${ISSUER}#a tenant`],
    ['has no other name than that of a static token', ownerOfUser('ada:1'), 'ada:1'],
    ['is itself, where a token names none', ownerOfSubject({ issuer: ISSUER, name: '3:one:ada' }), `subject:25:${ISSUER}:0::3:one:ada`],
    ['is its session', ownerOfAnonymousSession('ada'), 'session:ada'],
    ['is the one user of a machine', LOCAL_OWNER, 'local'],
  ])('%s', (_what, owner, tenant) => {
    expect(tenantOf(owner)).toBe(tenant);
  });
});

describe('two tenants of one name', () => {
  const [here, there] = [ISSUER, 'https://other.example'].map((issuer) => ownerOfSubject({ issuer, tenant: 'acme', name: 'ada' }));

  it('at two issuers share neither settings nor a data key', () => {
    for (const of of [tenantOf, keyScopeOf]) expect(of(here ?? '')).not.toBe(of(there ?? ''));
  });

  it('of which one is the name of a static token share neither', () => {
    for (const of of [tenantOf, keyScopeOf]) expect(of(here ?? '')).not.toBe(of(ownerOfUser('acme')));
  });
});

describe('whose data key is used for an owner', () => {
  it.each<[string, string, string]>([
    ['that of its tenant', ownerOfSubject({ issuer: ISSUER, tenant: 'one', name: 'ada' }), `tenant:${ISSUER}#one`],
    ['its own, without a tenant', ownerOfUser('ada'), 'user:ada'],
    ['one for all without a name', ownerOfAnonymousSession('ada'), ANONYMOUS_OWNER],
  ])('is %s', (_what, owner, scope) => {
    expect(keyScopeOf(owner)).toBe(scope);
  });
});
