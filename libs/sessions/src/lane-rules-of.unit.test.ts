import { openMemoryStore } from '@longhaul/store-sqlite';
import { laneOf, ownerOfSubject, ownerOfUser } from '@longhaul/tasks';
import { expect, it } from 'vitest';
import { waitUntil } from '../../../test/support/wait-until.js';
import { laneRulesOf } from './lane-rules-of.js';
import { Tenants } from './tenants.js';

it('gives the lanes of a tenant what holds for it, as soon as that changes', async () => {
  const { tenants: overrides } = openMemoryStore();
  const config = {
    default: { weight: 2, maxRunning: 10 },
    tenants: { 'https://a.example#acme': { weight: 5 }, free: { maxRunning: null } },
  };
  const tenants = new Tenants({
    config,
    overrides,
    onError: (error) => {
      throw error;
    },
  });
  await tenants.start();
  const limit = { key: () => 'key', perSecond: 2 };
  const rules = laneRulesOf(tenants, (tool) =>
    tool === 'narrow' ? { maxRunning: 1, sharedLimit: { name: 'shop', maxRunning: 2 }, limit } : undefined,
  );
  const [acme = ''] = laneOf(ownerOfSubject({ issuer: 'https://a.example', tenant: 'acme', name: 'ada' })).split('.');
  const first = rules();
  expect([first.weight, first.weights.get(acme), first.maxRunning(acme)]).toEqual([2, 5, 10]);
  expect(first.maxRunning(laneOf(ownerOfUser('free')))).toBeUndefined();
  expect([first.weights.get('other'), first.maxRunning('other')]).toEqual([undefined, 10]);
  expect([first.maxRunningOfTool('narrow'), first.maxRunningOfTool('wide')]).toEqual([1, undefined]);
  expect([first.limitByKeyOf('narrow'), first.limitByKeyOf('wide')]).toEqual([limit, undefined]);
  expect([first.sharedLimitOf('narrow'), first.sharedLimitOf('wide')]).toEqual(['shop', undefined]);
  expect([first.maxRunningOfShared('shop'), first.maxRunningOfShared('other')]).toEqual([2, undefined]);
  await overrides.set('https://a.example#acme', { maxRunning: 1 });
  await waitUntil(() => rules() !== first, { description: 'the change holds' });
  expect(rules().maxRunning(acme)).toBe(1);
  tenants.stop();
});
