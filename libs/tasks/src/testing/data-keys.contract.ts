import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DataKeyRecord, DataKeyStore } from '../ports/data-keys.js';
import type { ContractBackend } from './contract-backend.js';
import { opening } from './opening.js';

/** What the store of data keys keeps to on every backend. */
export function dataKeysContract({ name, open }: ContractBackend): void {
  describe(`the data keys in ${name}`, () => {
    let keys: DataKeyStore;
    beforeAll(opening(open, ({ backend }) => ({ dataKeys: keys } = backend)));

    const newRecord = (): DataKeyRecord => ({
      id: randomUUID(),
      scope: 'ada "☂"',
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
      const records = Array.from({ length: 5 }, (_, at) => ({ ...newRecord(), id: 'the same id', wrapped: `wrapped ${at}` }));
      const kept = await Promise.all(records.map((record) => keys.add(record)));
      expect(new Set(kept.map(({ wrapped }) => wrapped)).size).toBe(1);
      expect(await keys.find('the same id')).toEqual(kept[0]);
      expect(await keys.find('another id')).toBeUndefined();
    });

    it('replaces one only where it is still the one that was read', async () => {
      const first = await keys.add(newRecord());
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
