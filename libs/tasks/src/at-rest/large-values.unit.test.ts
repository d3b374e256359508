import { createKeyRing } from '@longhaul/runtime/keys';
import { openMemoryStore } from '@longhaul/store-sqlite';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryBlobs } from '../../../../test/support/memory-blobs.js';
import type { TaskId } from '../domain/task-id.js';
import type { PayloadCodec } from '../ports/payload-codec.js';
import type { LargeValues } from '../ports/large-values.js';
import { blobStoreContract } from '../testing/blob-store.contract.js';
import { codecOf } from './encryption.js';
import { createLargeValues } from './large-values.js';

const ring = createKeyRing({ name: 'only', secret: 'the only key of a deployment' });
const ada = '11111111-1111-4111-8111-111111111111' as TaskId;
const bob = '22222222-2222-4222-8222-222222222222' as TaskId;
const TEXT = JSON.stringify({ secret: 'ä€😀 the secret of Ada '.repeat(30) });

let blobs: MemoryBlobs;
const valuesWith = (codec: PayloadCodec, partLength = 100): LargeValues =>
  createLargeValues({ blobs, codec, folder: 'f', fromBytes: 1_000, maxBytes: 1_000_000, partLength, clock: () => 1_000 });
const { dataKeys } = openMemoryStore();
const sealing = (more: { takesPlain?: boolean } = {}): LargeValues => valuesWith(codecOf(dataKeys, { ring, ...more }));
beforeEach(() => {
  blobs = new MemoryBlobs();
});

blobStoreContract('memory', async () => ({ blobs: new MemoryBlobs(), close: async () => undefined }));

describe('a large value', () => {
  it('comes back as it was, whatever the length of its parts is', async () => {
    const text = fc
      .array(fc.constantFrom('a', 'é', '€', '😀', '\ud800', '"', '='), { maxLength: 30 })
      .map((units) => JSON.stringify(units.join('')));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 20 }), async (json, length) => {
        const values = valuesWith(codecOf(dataKeys, undefined), length);
        const value = await values.keep({ taskId: ada, owner: 'ada' }, values.newId(3), json);
        expect(await values.json(ada, value)).toBe(json);
        expect(value.bytes).toBe(Buffer.byteLength(json));
      }),
      { numRuns: 50 },
    );
  });

  it('is encrypted with the key of its owner, in parts of which none can be changed, swapped, moved, repeated or left out', async () => {
    const values = sealing();
    const value = await values.keep({ taskId: ada, owner: 'tenant:ada' }, '1-a-a', TEXT);
    const other = await values.keep({ taskId: ada, owner: 'tenant:ada' }, '1-a-b', TEXT);
    await values.keep({ taskId: bob, owner: 'tenant:bob' }, '1-a-a', TEXT);
    for (const kept of blobs.kept.values()) expect(kept.toString()).not.toContain('secret');
    const path = (number: number, id = value.id, taskId = ada): string => `f/${taskId}/${id}/${number}`;
    const before = new Map(blobs.kept);
    const put = (to: string, bytes: Buffer | undefined): void =>
      void (bytes === undefined ? blobs.kept.delete(to) : blobs.kept.set(to, bytes));
    const flipped = Buffer.from(before.get(path(2)) ?? '');
    flipped[40] = (flipped[40] ?? 0) ^ 1;
    const ways: readonly (() => void)[] = [
      () => put(path(2), flipped),
      () => put(path(2), before.get(path(2))?.subarray(0, -8)),
      () => {
        put(path(1), before.get(path(2)));
        put(path(2), before.get(path(1)));
      },
      () => put(path(2), before.get(path(2, other.id))),
      () => put(path(2), before.get(path(2, value.id, bob))),
      () => put(path(2), Buffer.from('not ours')),
    ];
    for (const way of ways) {
      blobs.kept.clear();
      for (const [to, bytes] of before) blobs.kept.set(to, bytes);
      way();
      await expect(values.json(ada, value)).rejects.toMatchObject({ code: 'VALUE_NOT_GENUINE' });
    }
    blobs.kept.delete(path(value.parts));
    await expect(values.json(ada, other)).resolves.toBe(TEXT);
    await expect(values.part(ada, value, value.parts)).rejects.toMatchObject({ code: 'VALUE_MISSING' });
    // A record that was made to say less does not open what was written as more.
    await expect(values.part(ada, { ...other, parts: other.parts - 1 }, 1)).rejects.toMatchObject({ code: 'VALUE_NOT_GENUINE' });
  });

  it('is read in plain as well, unless only encrypted values are taken', async () => {
    const plain = valuesWith(codecOf(dataKeys, undefined));
    const value = await plain.keep({ taskId: ada, owner: 'ada' }, '1-a-a', TEXT);
    expect(await sealing().json(ada, value)).toBe(TEXT);
    await expect(sealing({ takesPlain: false }).json(ada, value)).rejects.toMatchObject({ code: 'VALUE_NOT_GENUINE' });
    await expect(plain.json(ada, { ...value, bytes: value.bytes - 1 })).rejects.toMatchObject({ code: 'VALUE_NOT_GENUINE' });
    const sealed = await sealing().keep({ taskId: ada, owner: 'ada' }, '1-a-b', TEXT);
    await expect(plain.json(ada, sealed)).rejects.toMatchObject({ code: 'KEY_MISSING' });
  });

  it('is copied part by part, with the key of its new owner', async () => {
    const values = sealing();
    const value = await values.keep({ taskId: ada, owner: 'tenant:ada' }, '1-a-a', TEXT);
    const copy = await values.copy(ada, value, { taskId: bob, owner: 'tenant:bob' }, values.newId(0));
    await values.remove(ada, value.id);
    expect(await values.json(bob, copy)).toBe(TEXT);
    expect(blobs.mostRead).toBeLessThan(800);
    await expect(values.json(ada, value)).rejects.toMatchObject({ code: 'VALUE_MISSING' });
  });
});
