import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blobStoreContract } from '@longhaul/tasks/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FolderBlobs, troubleWith } from './folder.js';
import { openBlobs } from './open-blobs.js';

blobStoreContract('a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-blobs-'));
  return { blobs: new FolderBlobs(folder), close: () => rm(folder, { recursive: true }) };
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-blobs-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('leaves nothing behind of a file that could not be written, and does not name what is being written', async () => {
  const blobs = new FolderBlobs(folder);
  await blobs.put('task/1/1', Buffer.from('whole'));
  await writeFile(join(folder, 'task/1/2.0a0b0c0d.part'), 'half');
  const names: string[] = [];
  for await (const name of blobs.names('task/1')) names.push(name);
  expect(names).toEqual(['1']);
  await expect(blobs.put('task/1', Buffer.from('in the way'))).rejects.toMatchObject({ code: 'VALUES_UNAVAILABLE' });
  expect(await readdir(join(folder, 'task'))).toEqual(['1']);
});

it('says where there is no room, and what to do', async () => {
  const full = troubleWith(folder, Object.assign(new Error('no'), { code: 'ENOSPC' }));
  expect(full).toMatchObject({ code: 'VALUES_FULL' });
  expect(full.message).toContain(folder);
  expect(full.message).toContain('LONGHAUL_BLOBS');
});

it('makes the folders above it', async () => {
  const place = join(folder, 'new', 'blobs');
  await openBlobs({ kind: 'folder', path: place, isNamed: false });
  expect(await readdir(folder)).toEqual([]);
  await new FolderBlobs(place).put('task/1/1', Buffer.from('whole'));
  expect(await readdir(join(place, 'task/1'))).toEqual(['1']);
});

it('is refused at the start in one line if it cannot be a folder', async () => {
  await writeFile(join(folder, 'file'), 'in the way');
  const path = join(folder, 'file', 'blobs');
  await expect(openBlobs({ kind: 'folder', path, isNamed: true })).rejects.toThrow(
    `LONGHAUL_BLOBS=${path}: The folder of large values ${path} cannot be used: `,
  );
});
