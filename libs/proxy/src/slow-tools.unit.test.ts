import type { OwnerRecords } from '@longhaul/sessions';
import { openMemoryStore } from '@longhaul/store-sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { SlowTools } from './slow-tools.js';

const DAY_MS = 86_400_000;
const stores: ReturnType<typeof openMemoryStore>[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

function records(): OwnerRecords {
  const store = openMemoryStore();
  stores.push(store);
  return store.ownerRecords;
}

function open(now?: () => number) {
  const warnings: string[] = [];
  const changed: string[] = [];
  const slow = new SlowTools({ warn: (line) => warnings.push(line), ...(now !== undefined && { now }) });
  slow.onChange((server) => changed.push(server));
  return { slow, warnings, changed };
}

describe('a tool', () => {
  it('is slow when two of its last twenty calls were, and its listeners hear of it once', async () => {
    const { slow, changed } = open();
    slow.note('a', 'look', true);
    for (let call = 0; call < 19; call++) slow.note('a', 'look', false);
    slow.note('a', 'look', false);
    slow.note('a', 'look', true);
    expect([slow.has('a', 'look'), changed]).toEqual([false, []]);
    slow.note('a', 'look', true);
    await slow.written();
    expect([slow.has('a', 'look'), slow.has('a', 'other'), changed]).toEqual([true, false, ['a']]);
  });

  it('is tried again after a day', async () => {
    let now = 1_000_000;
    const { slow, changed } = open(() => now);
    for (let call = 0; call < 2; call++) slow.note('a', 'look', true);
    now += DAY_MS - 1;
    expect(slow.has('a', 'look')).toBe(true);
    now += 1;
    expect(slow.has('a', 'look')).toBe(false);
    await slow.written();
    expect(changed).toEqual(['a', 'a']);
    slow.note('a', 'look', true);
    expect(slow.has('a', 'look')).toBe(false);
  });
});

describe('slow tools in a store', () => {
  it('are known to a process that starts, and to one that marks another tool, for a day', async () => {
    const [store, early] = [records(), Date.now()];
    let now = early;
    const [first, second] = [open(() => now), open(() => now)];
    await Promise.all([first.slow.readFrom(store), second.slow.readFrom(store)]);
    for (const [{ slow }, tool] of [
      [first, 'look'],
      [second, 'watch'],
    ] as const) {
      for (let call = 0; call < 2; call++) slow.note('a', tool, true);
      await slow.written();
    }
    expect([second.slow.has('a', 'look'), first.slow.has('a', 'watch')]).toEqual([true, false]);
    const third = open(() => now);
    await third.slow.readFrom(store);
    expect([third.slow.has('a', 'look'), third.slow.has('a', 'watch')]).toEqual([true, true]);
    now = early + DAY_MS;
    const later = open(() => now);
    await later.slow.readFrom(store);
    expect([later.slow.has('a', 'look'), later.changed, second.changed]).toEqual([false, [], ['a', 'a']]);
  });

  it('are done without where the store cannot be used', async () => {
    const broken = new Proxy({} as OwnerRecords, {
      get: () => () => Promise.reject(new Error('it is away')),
    });
    const { slow, warnings } = open();
    await slow.readFrom(broken);
    for (let call = 0; call < 2; call++) slow.note('a', 'look', true);
    await slow.written();
    expect(slow.has('a', 'look')).toBe(true);
    expect(warnings).toEqual([
      expect.stringContaining('Which tools are slow cannot be read: '),
      expect.stringContaining('Which tools are slow cannot be kept: '),
    ]);
  });
});
