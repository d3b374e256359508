import { describe, expect, it } from 'vitest';
import { ownerOfSubject, ownerOfUser } from '../domain/owner-names.js';
import { groupOf, groupsOfTenant, laneOf } from './lane.js';

const ISSUER = 'https://login.example.com';

describe('the lanes of owners', () => {
  it('are in one group if they are of one tenant, and each in its own otherwise', () => {
    const [ada, bob] = ['ada', 'bob'].map((name) => laneOf(ownerOfSubject({ issuer: ISSUER, tenant: 'acme', name }))) as [string, string];
    expect(ada).not.toBe(bob);
    expect(groupOf(ada)).toBe(groupOf(bob));
    expect(ada).toMatch(/^[\w-]{11}\.[\w-]{11}$/);
    const alone = laneOf(ownerOfSubject({ issuer: ISSUER, name: 'ada' }));
    expect(groupOf(alone)).toBe(alone);
  });

  it('are found by the name of a tenant, of a static token and of an owner', () => {
    const owner = ownerOfSubject({ issuer: ISSUER, name: 'ada' });
    const group = groupOf(laneOf(ownerOfSubject({ issuer: ISSUER, tenant: 'acme', name: 'ada' })));
    expect(groupsOfTenant(`${ISSUER}#acme`)).toContain(group);
    for (const other of ['acme', 'https://other.example#acme']) expect(groupsOfTenant(other)).not.toContain(group);
    expect(groupsOfTenant('acme')).toContain(laneOf(ownerOfUser('acme')));
    expect(groupsOfTenant(owner)).toContain(laneOf(owner));
    expect(groupsOfTenant('other')).not.toContain(laneOf(owner));
  });
});
