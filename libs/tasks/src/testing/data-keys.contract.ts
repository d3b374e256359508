import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DataKeyRecord, DataKeyStore } from '../ports/data-keys.js';
import type { ContractStore } from './contract-store.js';
import { opening } from './opening.js';

/** Declares the contract of data keys on every store. */
export function dataKeysContract({ name, open }: ContractStore): void {
  describe(`the data keys in ${name}`, () => {
    let keys: DataKeyStore;
    beforeAll(opening(open, ({ store }) => ({ dataKeys: keys } = store)));

    const newRecord = (): DataKeyRecord => ({
      id: randomUUID(),
      scope: randomUUID(),
      ringKeyId: 'ring-key',
      ringKeyName: '2026-11',
      wrapped: 'wrapped',
      createdAt: 1,
    });
    const all = async (): Promise<readonly DataKeyRecord[]> => {
      const found: DataKeyRecord[] = [];
      for await (const some of keys.all()) found.push(...some);
      return found;
    };

    it('keeps the first of several that are added for a scope, and gives each of them that one', async () => {
      const scope = `${randomUUID()} "☂"`;
      expect(await keys.ofScope(scope)).toEqual([]);
      const records = Array.from({ length: 5 }, () => ({ ...newRecord(), scope }));
      const kept = await Promise.all(records.map((record) => keys.add(record)));
      const [current] = await keys.ofScope(scope);
      expect(kept).toEqual(records.map(() => [current]));
      const found = await Promise.all(records.map(({ id }) => keys.find(id)));
      expect(found.filter((record) => record !== undefined)).toEqual([current]);
    });

    it('keeps several of a scope that are put back, each once, and the one that was there first stays the first of them', async () => {
      const scope = randomUUID();
      const [added, ...others] = [newRecord(), newRecord(), newRecord()].map((record) => ({ ...record, scope }));
      if (added === undefined) throw new Error('There are three.');
      await keys.add(added);
      await Promise.all([...others, ...others, added].map((record) => keys.putBack({ ...record })));
      const found = await keys.ofScope(scope);
      expect(found).toHaveLength(3);
      expect(found[0]).toEqual(added);
      expect(found).toEqual(expect.arrayContaining(others));
      expect(await keys.putBack({ ...added, wrapped: 'as it was before somebody wrapped it anew' })).toEqual(found);
      expect(await Promise.all(found.map(({ id }) => keys.find(id)))).toEqual(found);
    });

    it('takes one that is put back where there is none, and it is the current one then', async () => {
      const record = { ...newRecord(), scope: randomUUID() };
      expect(await keys.putBack(record)).toEqual([record]);
      expect(await keys.add({ ...newRecord(), scope: record.scope })).toEqual([record]);
    });

    it('replaces one only where it is still the one that was read', async () => {
      const first = newRecord();
      await keys.add(first);
      const second = { ...first, ringKeyId: 'another', wrapped: 'wrapped anew' };
      expect(await keys.replace(first, second)).toBe(true);
      expect(await keys.replace(first, { ...first, wrapped: 'too late' })).toBe(false);
      expect(await keys.find(first.id)).toEqual(second);
    });

    it('gives all of them, some at a time', async () => {
      const before = (await all()).length;
      const records = Array.from({ length: 450 }, newRecord);
      await Promise.all(records.map((record) => keys.add(record)));
      const found = await all();
      expect(found).toHaveLength(before + 450);
      expect(found).toEqual(expect.arrayContaining(records.slice(0, 3)));
    });
  });
}
