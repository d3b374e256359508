import { openMemoryStore } from '@longhaul/store-sqlite';
import { describe, expect, it } from 'vitest';
import { override } from '../../../test/support/override.js';
import { createOwnerStore } from './owner-store.js';
import type { OwnerRecords } from './ports/owner-records.js';

/** Collections of owners, and a list of the owners with records that were read from their beginning. */
function storeThatKeeps(keptBytes: number) {
  const readAnew: string[] = [];
  const kept = openMemoryStore().ownerRecords;
  const changesSince: OwnerRecords['changesSince'] = (of, since) => {
    if (since.epoch === '') readAnew.push(of.owner.id);
    return kept.changesSince(of, since);
  };
  const records = override(kept, { changesSince });
  const store = createOwnerStore(records, keptBytes);
  const collection = (owner: string) => store.of({ id: owner }).collection('notes');
  const add = (owner: string, bytes: number) =>
    collection(owner).update(() => ({ changes: [{ id: String(bytes), value: 'x'.repeat(bytes) }], result: undefined }));
  const size = (owner: string) => collection(owner).read((found) => found.size);
  return { readAnew, add, size };
}

describe('what a process keeps of collections', () => {
  it('is read from its beginning once', async () => {
    const { readAnew, add, size } = storeThatKeeps(100_000);
    await add('ada', 10);
    expect([await size('ada'), await size('ada')]).toEqual([1, 1]);
    // The first look found nothing, which has no version.
    expect(readAnew).toEqual(['ada', 'ada']);
  });

  it('is what was used last and has room, of small ones too', async () => {
    const { readAnew, add, size } = storeThatKeeps(10_000);
    const owners = Array.from({ length: 10 }, (_, number) => `owner-${number}`);
    for (const owner of owners) await add(owner, 1);
    for (const owner of owners) await size(owner);
    readAnew.length = 0;
    await size('owner-9');
    expect(readAnew).toEqual([]);
    await size('owner-0');
    expect(readAnew).toEqual(['owner-0']);
  });

  it('is the last one also if that is larger than everything that is kept', async () => {
    const { readAnew, add, size } = storeThatKeeps(5_000);
    await add('ada', 50_000);
    await size('ada');
    readAnew.length = 0;
    await size('ada');
    expect(readAnew).toEqual([]);
  });
});
