import { createOwnerStore } from '@longhaul/sessions';
import { openMemoryStore } from '@longhaul/store-sqlite';
import { expect, it } from 'vitest';
import { exportGraph, importGraph, readGraphFile } from './graph-file.js';

const entity = (name: string): string => JSON.stringify({ type: 'entity', name, entityType: 'thing', observations: [] });
const fileOf = (text: string) => readGraphFile(Buffer.from(text));
const lines = (count: number): string => Array.from({ length: count }, (_, at) => entity(`entity ${at}`)).join('\n');

it('leaves nothing of a graph that is too large, so that a smaller one can be imported', async () => {
  const owner = createOwnerStore(openMemoryStore().ownerRecords).of({ id: 'ada' });
  const settings = { maxBytes: 1_000_000 };
  await expect(importGraph(owner, settings, fileOf(lines(12_000)))).rejects.toMatchObject({ code: 'OWNER_FULL' });
  expect(await exportGraph(owner, settings)).toBe('');
  expect(await importGraph(owner, settings, fileOf(lines(10)))).toBe(10);
  expect(await exportGraph(owner, settings)).toBe(lines(10));
});
