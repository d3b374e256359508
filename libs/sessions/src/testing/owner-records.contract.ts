import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CollectionOptions, type Json, type OwnerCollection, type RecordOwner, type RecordUpdate, wholeMs } from '@longhaul/tasks';
import { opening, waitUntil } from '@longhaul/tasks/testing';
import { createOwnerStore } from '../owner-store.js';
import { NO_VERSION, type OwnerRecords, RECORD_LIMITS } from '../ports/owner-records.js';
import type { OpenedSessionStore, SessionContractStore } from './contract-store.js';

/** Declares the contract of owners' records on every store, also as features see them in several processes. */
export function ownerRecordsContract({ name, open, isEncrypted = false }: SessionContractStore): void {
  describe(`records of owners in ${name}`, () => {
    let records: OwnerRecords;
    beforeAll(opening(open, ({ store }) => (records = store.ownerRecords)));

    const ownerOf = (of: Partial<RecordOwner> = {}): RecordOwner => ({ id: `user:${randomUUID()}`, ...of });
    /** The collection as a separate process sees it. */
    const inProcess = (owner: RecordOwner, options?: CollectionOptions, collection = 'things'): OwnerCollection =>
      createOwnerStore(records).of(owner).collection(collection, options);
    const contentOf = (collection: OwnerCollection): Promise<[string, Json][]> => collection.read((all) => [...all]);
    const put = (collection: OwnerCollection, ...changes: RecordUpdate[]): Promise<void> =>
      collection.update(() => ({ changes, result: undefined }));
    const some = (count: number, value: Json = 1, from = 0): RecordUpdate[] =>
      Array.from({ length: count }, (_, index) => ({ id: `record ${from + index}`, value }));

    it('gives back what was set, of the same owner and collection only, in any process', async () => {
      const owner = ownerOf();
      await put(inProcess(owner), { id: 'a', value: { name: 'red', parts: [1, 'ü\ud800', null] } });
      expect(await contentOf(inProcess(owner))).toEqual([['a', { name: 'red', parts: [1, 'ü\ud800', null] }]]);
      expect(await contentOf(inProcess(owner, {}, 'others'))).toEqual([]);
      expect(await contentOf(inProcess(ownerOf()))).toEqual([]);
    });

    it('takes any text as an id, those of prototypes too', async () => {
      const owner = ownerOf();
      const ids = ['__proto__', 'constructor', 'toString', ' ', 'a\u0000b\nc', '{x}', 'ü'];
      await put(inProcess(owner), ...ids.map((id) => ({ id, value: { ['__proto__']: id } })));
      const found = await contentOf(inProcess(owner));
      expect(found.map(([id]) => id)).toEqual(ids);
      expect(JSON.stringify(found[0]?.[1])).toBe('{"__proto__":"__proto__"}');
    });

    it('keeps the order in which records were added, for every reader: a change keeps the place, a new beginning does not', async () => {
      const owner = ownerOf();
      const [writer, reader] = [inProcess(owner), inProcess(owner)];
      await put(writer, ...some(4, 'first'));
      expect(await contentOf(reader)).toHaveLength(4);
      await put(writer, { id: 'record 2', value: 'changed' }, { id: 'record 0' }, { id: 'record 1' });
      await put(writer, { id: 'record 0', value: 'again' }, { id: 'record 3', value: 'changed' });
      const expected = [
        ['record 2', 'changed'],
        ['record 3', 'changed'],
        ['record 0', 'again'],
      ];
      for (const process of [writer, reader, inProcess(owner)]) expect(await contentOf(process)).toEqual(expected);
    });

    it('loses no update of many writers in several processes', async () => {
      const owner = ownerOf();
      const processes = [inProcess(owner), inProcess(owner)];
      const count = (collection: OwnerCollection) =>
        collection.update((all) => {
          const next = Number(all.get('counter') ?? 0) + 1;
          return {
            changes: [
              { id: 'counter', value: next },
              { id: `of ${next}`, value: next },
            ],
            result: next,
          };
        });
      const results = await Promise.all(Array.from({ length: 100 }, (_, index) => count(processes[index % 2] ?? inProcess(owner))));
      expect(results.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
      expect(await inProcess(owner).read((all) => [all.size, all.get('counter')])).toEqual([101, 100]);
    });

    it('changes all or nothing: an update that throws, or is decided on an old state, leaves no trace', async () => {
      const owner = ownerOf();
      const collection = inProcess(owner);
      await put(collection, ...some(2));
      const failing = collection.update((): never => {
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      const ref = { owner, name: 'things' };
      const late = { since: NO_VERSION, changes: [{ id: 'late', json: '1' }], maxBytes: 1_000 };
      expect(await records.apply(ref, late)).toBe('conflict');
      expect(await contentOf(inProcess(owner))).toHaveLength(2);
    });

    it('lets an update that has lost several times have its turn: others wait until it is applied, or for a moment', async () => {
      const ref = { owner: ownerOf(), name: 'things' };
      const apply = async (id: string, update?: string, isLate = false) => {
        const { version } = await records.changesSince(ref, NO_VERSION);
        return records.apply(ref, { since: isLate ? NO_VERSION : version, changes: [{ id, json: '1' }], maxBytes: 10_000, update });
      };
      expect([await apply('first'), await apply('slow', 'slow', true)]).toEqual(['applied', 'conflict']);
      expect([await apply('quick'), await apply('other', 'other')]).toEqual(['conflict', 'conflict']);
      expect([await apply('slow', 'slow'), await apply('quick')]).toEqual(['applied', 'applied']);
      expect(await apply('gone', 'gone', true)).toBe('conflict');
      await waitUntil(async () => (await apply('quick')) === 'applied', { description: 'nobody waits for it any more' });
    });

    const whereBytesArePlain = isEncrypted ? [] : [name];
    it.each(whereBytesArePlain)('takes so many bytes, and names the limit and its setting; what makes it smaller always fits', async () => {
      const owner = ownerOf();
      const collection = inProcess(owner, { maxBytes: 1_000, setting: 'THE_SETTING' });
      const full = { code: 'OWNER_FULL', message: expect.stringMatching(/"things" has at most 1000 bytes: .*THE_SETTING/) as string };
      await put(collection, { id: 'a', value: 'x'.repeat(700) });
      await expect(put(collection, { id: 'b', value: 'x'.repeat(200) })).rejects.toMatchObject(full);
      await expect(put(collection, { id: 'b', value: 1 }, { id: 'a', value: 'x'.repeat(900) })).rejects.toMatchObject(full);
      await put(collection, { id: 'b', value: 1 });
      await put(collection, { id: 'a' }, { id: 'c', value: 'x'.repeat(700) });
      await put(inProcess(owner, { maxBytes: 10 }), { id: 'c', value: 'x'.repeat(600) });
      await expect(put(inProcess(owner, { maxBytes: 10 }), { id: 'd', value: 1 })).rejects.toMatchObject({ code: 'OWNER_FULL' });
    });

    it('refuses what is too large, too much at once, or in too many collections, with the limit', async () => {
      const owner = ownerOf();
      const { idBytes, recordBytes, changes, collections } = RECORD_LIMITS;
      await expect(put(inProcess(owner), { id: 'x'.repeat(idBytes + 1), value: 1 })).rejects.toMatchObject({ code: 'INVALID_KEY' });
      await expect(put(inProcess(owner), { id: 'x', value: 'x'.repeat(recordBytes) })).rejects.toMatchObject({ code: 'NOT_SERIALIZABLE' });
      await expect(put(inProcess(owner), ...some(changes + 1))).rejects.toMatchObject({ code: 'OWNER_FULL' });
      expect(() => inProcess(owner, {}, 'x'.repeat(65))).toThrow(expect.objectContaining({ code: 'INVALID_KEY' }));
      for (let index = 0; index < collections; index++) await put(inProcess(owner, {}, `collection ${index}`), ...some(1));
      await expect(put(inProcess(owner, {}, 'one more'), ...some(1))).rejects.toMatchObject({
        code: 'OWNER_FULL',
        message: `An owner has at most ${collections} collections.`,
      });
      await put(inProcess(owner, {}, 'collection 0'), { id: 'record 0' });
      await put(inProcess(owner, {}, 'one more'), ...some(1));
    });

    it('brings many records in pages, and one who has missed more removals than are remembered up to date', async () => {
      const owner = ownerOf();
      const [writer, reader] = [inProcess(owner), inProcess(owner)];
      const count = 2 * RECORD_LIMITS.pageRecords + 1;
      await put(writer, ...some(count));
      expect(await reader.read((all) => all.size)).toBe(count);
      const removed = some(RECORD_LIMITS.removals + 10).map(({ id }) => ({ id }));
      await put(writer, ...removed);
      await put(writer, ...some(2, 'new'));
      const left = [...some(count - removed.length, 1, removed.length), ...some(2, 'new')].map(({ id }) => id);
      for (const process of [reader, inProcess(owner)]) expect(await process.read((all) => [...all.keys()])).toEqual(left);
    });

    it('begins anew when the last record is removed, also for those who know the old state', async () => {
      const owner = ownerOf();
      const [writer, reader] = [inProcess(owner), inProcess(owner)];
      await put(writer, ...some(3));
      expect(await contentOf(reader)).toHaveLength(3);
      await put(writer, ...some(3).map(({ id }) => ({ id })));
      expect(await contentOf(reader)).toEqual([]);
      await put(writer, ...some(3));
      await put(writer, ...some(3).map(({ id }) => ({ id })));
      await put(writer, { id: 'other', value: 1 }, { id: 'another', value: 1 }, { id: 'third', value: 1 });
      expect((await contentOf(reader)).map(([id]) => id)).toEqual(['other', 'another', 'third']);
    });

    it('forgets an owner who is not used for its idle time, and keeps one who is; others it keeps for ever', async () => {
      const [idle, kept, lasting] = [ownerOf({ idleMs: 2_000 }), ownerOf({ idleMs: 2_000 }), ownerOf()];
      for (const owner of [idle, kept, lasting]) await put(inProcess(owner), ...some(1));
      await records.keep(kept.id, wholeMs(60_000));
      await records.keep(ownerOf().id, wholeMs(1));
      const peek = (owner: RecordOwner) => contentOf(inProcess({ id: owner.id }));
      await waitUntil(async () => (await peek(idle)).length === 0, { description: 'the idle one is forgotten' });
      expect([await peek(kept), await peek(lasting)]).toEqual([[['record 0', 1]], [['record 0', 1]]]);
      await records.clear(kept.id);
      await records.clear(ownerOf().id);
      expect([await peek(kept), await peek(lasting)]).toEqual([[], [['record 0', 1]]]);
    });

    describe.each(whereBytesArePlain)('of an account', () => {
      const MAX_BYTES = 10_000;
      let small: OpenedSessionStore;
      const openSmall = () => open({ accountSessionBytes: MAX_BYTES });
      beforeAll(opening(openSmall, (opened) => (small = opened)));

      it('takes so many bytes of all its owners together, and has room again when one of them has gone', async () => {
        const account = `address:${randomUUID()}`;
        const owners = Array.from({ length: 3 }, () => ownerOf({ account, idleMs: 60_000 }));
        const collections = owners.map((owner) => createOwnerStore(small.store.ownerRecords).of(owner).collection('things'));
        const fill = (index: number) =>
          collections[index]?.update(() => ({ changes: [{ id: 'a', value: 'x'.repeat(4_000) }], result: 'set' }));
        expect([await fill(0), await fill(0), await fill(1)]).toEqual(['set', 'set', 'set']);
        await expect(fill(2)).rejects.toMatchObject({
          code: 'SESSION_FULL',
          message: expect.stringContaining(`${MAX_BYTES} bytes`) as string,
        });
        await small.store.ownerRecords.clear(owners[0]?.id ?? '');
        const settled = await waitUntil(() => fill(2)?.catch(() => undefined), { description: 'there is room' });
        expect(settled).toBe('set');
      });
    });
  });
}
