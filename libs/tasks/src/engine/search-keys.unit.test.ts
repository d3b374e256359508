import { createKeyRing } from '@longhaul/runtime/keys';
import { openMemoryStore } from '@longhaul/store-sqlite';
import { expect, it } from 'vitest';
import { codecOf } from '../at-rest/encryption.js';
import { PLAIN } from '../ports/payload-codec.js';
import { indexFilter, searchKeysOf } from './search-keys.js';

const ring = createKeyRing({ name: 'new', secret: 'the new key of a deployment' }, []);
const { dataKeys } = openMemoryStore();
const encrypted = codecOf(dataKeys, { ring });

const task = { arguments: { orderId: '4711', customer: { id: 7 }, list: [] }, searchable: ['orderId', 'customer.id', 'list', 'absent'] };
const where = [{ path: 'customer.id', value: '7' }];

it('a task has a key for each argument that it has, short and the same each time', async () => {
  const keys = await searchKeysOf(PLAIN, task);
  expect(keys).toEqual([expect.stringMatching(/^[\w-]{22}$/), expect.stringMatching(/^[\w-]{22}$/)]);
  expect(await searchKeysOf(PLAIN, task)).toEqual(keys);
  expect(await searchKeysOf(PLAIN, { ...task, searchable: ['customer.id'] })).toEqual(keys.slice(1));
  expect(await searchKeysOf(PLAIN, { arguments: task.arguments })).toEqual([]);
});

it('nobody finds out a value without the key of the deployment', async () => {
  const [plain, keyed] = [await searchKeysOf(PLAIN, task), await searchKeysOf(encrypted, task)];
  expect(new Set([...plain, ...keyed]).size).toBe(4);
});

it('a filter has each key that a value may have, also from before there was encryption', async () => {
  const [plain, keyed] = [await searchKeysOf(PLAIN, task), await searchKeysOf(encrypted, task)];
  expect(await indexFilter(PLAIN, { tool: 'a', where })).toEqual({ tool: 'a', searchKeys: [[plain[1]]] });
  expect(await indexFilter(encrypted, { where })).toEqual({ searchKeys: [[keyed[1], plain[1]]] });
  expect(await indexFilter(codecOf(dataKeys, { ring, takesPlain: false }), { where })).toEqual({ searchKeys: [[keyed[1]]] });
  expect(await indexFilter(encrypted, { owner: 'ada' })).toEqual({ owner: 'ada' });
});
