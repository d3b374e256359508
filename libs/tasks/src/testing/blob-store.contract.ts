import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BlobStore } from '../ports/blob-store.js';

/** What every store of bytes does. */
export function blobStoreContract(name: string, open: () => Promise<{ readonly blobs: BlobStore; close(): Promise<void> }>): void {
  describe(`a blob store in ${name}`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    let blobs: BlobStore;
    let top: string;
    beforeEach(async () => {
      opened = await open();
      ({ blobs } = opened);
      top = randomUUID();
    });
    afterEach(() => opened.close());
    const namesOf = async (path: string): Promise<readonly string[]> => {
      const names: string[] = [];
      for await (const name of blobs.names(path)) names.push(name);
      return names.toSorted();
    };
    const bytesOf = async (path: string): Promise<Buffer | undefined> => {
      const bytes = await blobs.get(path);
      return bytes && Buffer.from(bytes);
    };

    it('gives back the bytes that were put under a path, of any size, and nothing for another path', async () => {
      for (const bytes of [Buffer.alloc(0), Buffer.from('é\0\n'), randomBytes(3 * 1024 * 1024)]) {
        await blobs.put(`${top}/a/1`, bytes);
        expect((await bytesOf(`${top}/a/1`))?.equals(bytes)).toBe(true);
      }
      expect(await blobs.get(`${top}/a/2`)).toBeUndefined();
      expect(await blobs.get(`${top}/a`)).toBeUndefined();
      expect(await blobs.get(`${randomUUID()}/a/1`)).toBeUndefined();
    });

    it('takes the later bytes for a path, of several writers one', async () => {
      await blobs.put(`${top}/a/1`, Buffer.from('first'));
      await blobs.put(`${top}/a/1`, Buffer.from('second'));
      expect(await bytesOf(`${top}/a/1`)).toEqual(Buffer.from('second'));
      const texts = Array.from({ length: 8 }, (_, index) => String(index).repeat(100_000));
      await Promise.all(texts.map((text) => blobs.put(`${top}/a/1`, Buffer.from(text))));
      expect(texts).toContain((await bytesOf(`${top}/a/1`))?.toString());
    });

    it('names what is directly below a path, however many that are', async () => {
      const many = Array.from({ length: 1_100 }, (_, index) => `${top}/many/n${index}`);
      for (let at = 0; at < many.length; at += 50)
        await Promise.all(many.slice(at, at + 50).map((path) => blobs.put(path, Buffer.from('1'))));
      await blobs.put(`${top}/other/folder/1`, Buffer.from('1'));
      expect(await namesOf(top)).toEqual(['many', 'other']);
      expect(await namesOf(`${top}/many`)).toHaveLength(1_100);
      expect(await namesOf(`${top}/other`)).toEqual(['folder']);
      expect(await namesOf(`${top}/none`)).toEqual([]);
      await blobs.remove(`${top}/many`);
      expect(await namesOf(top)).toEqual(['other']);
    });

    it('removes all that is below a path, and nothing beside it', async () => {
      for (const path of ['a/1', 'a/b/2', 'ab/1']) await blobs.put(`${top}/${path}`, Buffer.from(path));
      await blobs.remove(`${top}/a`);
      await blobs.remove(`${top}/a`);
      await blobs.remove(`${top}/never`);
      expect(await blobs.get(`${top}/a/b/2`)).toBeUndefined();
      expect(await bytesOf(`${top}/ab/1`)).toEqual(Buffer.from('ab/1'));
      expect(await namesOf(top)).toEqual(['ab']);
    });
  });
}
