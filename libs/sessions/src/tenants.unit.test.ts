import { openMemoryStore } from '@longhaul/store-sqlite';
import { ownerOfSubject, ownerOfUser } from '@longhaul/tasks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../../test/support/wait-until.js';
import { Tenants } from './tenants.js';

const CONFIG = {
  default: { weight: 2, maxRunning: 10 },
  tenants: { acme: { weight: 5 }, 'https://a.example#acme': { weight: 7 }, free: { maxRunning: null } },
};

describe('the tenants of a process', () => {
  const store = openMemoryStore();
  const errors: unknown[] = [];
  let tenants: Tenants;
  beforeEach(async () => {
    tenants = new Tenants({ config: CONFIG, overrides: store.tenants, onError: (error) => errors.push(error) });
    await tenants.start();
  });
  afterEach(async () => {
    tenants.stop();
    for (const name of (await store.tenants.read())?.tenants.keys() ?? []) await store.tenants.set(name);
    errors.length = 0;
  });

  it('have what is said of them, and else what is said of all', () => {
    expect(tenants.named('acme')).toEqual({ weight: 5, maxRunning: 10 });
    expect(tenants.named('free')).toEqual({ weight: 2, maxRunning: null });
    expect(tenants.named('constructor')).toEqual(CONFIG.default);
  });

  it('are those that tokens name', () => {
    const ofAcme = (issuer: string): unknown => tenants.ofOwner(ownerOfSubject({ issuer, tenant: 'acme', name: 'ada' })).weight;
    expect(ofAcme('https://a.example')).toBe(7);
    expect(ofAcme('https://b.example')).toBe(2);
    expect(tenants.ofOwner(ownerOfUser('acme')).weight).toBe(5);
    expect(tenants.ofOwner(ownerOfUser('ada')).weight).toBe(2);
  });

  it('have what operators say at once, and no longer than they say so', async () => {
    let changes = 0;
    const unsubscribe = tenants.onChange(() => (changes += 1));
    await store.tenants.set('acme', { maxRunning: 1 });
    await waitUntil(() => changes === 1, { description: 'the change is known' });
    expect(tenants.named('acme')).toEqual({ weight: 5, maxRunning: 1 });
    expect(tenants.names).toEqual(['acme', 'https://a.example#acme', 'free']);
    await store.tenants.set('acme');
    await waitUntil(() => changes === 2, { description: 'the end of it is known' });
    expect(tenants.named('acme')).toEqual({ weight: 5, maxRunning: 10 });
    unsubscribe();
  });

  it('do without what they cannot read, and say so', async () => {
    await store.tenants.set('acme', { weight: 'much' });
    await tenants.refresh();
    expect(tenants.named('acme')).toEqual({ weight: 5, maxRunning: 10 });
    expect(errors).toHaveLength(1);
  });
});
