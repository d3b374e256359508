import { openMemoryStore } from '@longhaul/store-sqlite';
import type { StoreHealth } from '@longhaul/tasks';
import { expect, it } from 'vitest';
import { DeploymentWarnings, type DeploymentWarningsOptions, reportedWarnings } from './deployment-warnings.js';

const HEALTHY: StoreHealth = { now: 100_000 };

/** A process beside a store whose health the test decides. */
function deployed(options: Partial<Pick<DeploymentWarningsOptions, 'settings' | 'worker'>> = {}) {
  const memory = openMemoryStore();
  const state = { health: HEALTHY };
  const lines: string[] = [];
  const store = { ...memory, health: async () => state.health };
  const warnings = new DeploymentWarnings({
    store,
    processId: 'gateway-1',
    settings: [],
    warn: (line) => lines.push(line),
    onError: (error) => lines.push(String(error)),
    clock: () => 100_000,
    ...options,
  });
  return { store, state, lines, warnings, reported: () => reportedWarnings(store) };
}

it('says nothing about a deployment that is well', async () => {
  const { warnings, lines, reported, store } = deployed();
  await warnings.look();
  expect([lines, await reported(), (await store.processReports.all()).size]).toEqual([[], [], 0]);
});

it('logs each warning once, and reports it for as long as it holds', async () => {
  const { warnings, state, lines, reported } = deployed();
  state.health = { ...HEALTHY, losesAll: 'Redis keeps nothing.' };
  await warnings.look();
  await warnings.look();
  expect(lines).toEqual(['Redis keeps nothing.']);
  expect(await reported()).toEqual([{ code: 'NO_PERSISTENCE', message: 'Redis keeps nothing.', processes: ['gateway-1'] }]);
  expect(warnings.counts[0]).toEqual({ value: 1, attributes: { 'longhaul.warning': 'NO_PERSISTENCE' } });
  state.health = HEALTHY;
  await warnings.look();
  expect([await reported(), warnings.counts[0]?.value]).toEqual([[], 0]);
  await warnings.stop();
});

it.each([
  [94_999, /is 5 s ahead of/],
  [160_000, /is 60 s behind/],
  [95_000, undefined],
  [105_000, undefined],
])('compares its clock with that of the store at %s', async (now, line) => {
  const { warnings, state, lines } = deployed();
  state.health = { now };
  await warnings.look();
  expect(lines).toEqual(line === undefined ? [] : [expect.stringMatching(line)]);
});

it('compares the tools of a worker with those of others', async () => {
  const worker = { workerId: 'a', tools: ['both', 'only here'] };
  const { warnings, lines, store } = deployed({ worker });
  const details = { version: '1', lockToken: 't', startedAt: 0, slots: 1 };
  await store.workers.beat({ ...details, ...worker });
  await warnings.look();
  expect(lines).toEqual([]);
  const others = Array.from({ length: 7 }, (_, index) => `tool-${index}`);
  await store.workers.beat({ ...details, workerId: 'b', tools: ['both', ...others] });
  await warnings.look();
  expect(lines).toEqual([expect.stringMatching(/it has tool-0, .*tool-4 and 2 more and lacks only here \(version 1\)/)]);
});

it('reports variables that are no settings, which are logged elsewhere', async () => {
  const { warnings, lines, reported } = deployed({ settings: ['LONGHAUL_FOO is no setting of Longhaul.'] });
  await warnings.look();
  expect(lines).toEqual([]);
  expect(await reported()).toMatchObject([{ code: 'UNKNOWN_SETTING', message: expect.stringContaining('LONGHAUL_FOO') }]);
});
