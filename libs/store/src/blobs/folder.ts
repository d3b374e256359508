import { mkdir, open, opendir, readFile, rename, rm, unlink } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type BlobStore, TaskError } from '@longhaul/tasks';

/** The name of a file that is being written ends so. */
const UNFINISHED = '.part';

/** Blobs as files of a folder, which processes of one machine, or of one shared file system, have together. */
export class FolderBlobs implements BlobStore {
  /** @param place the absolute path */
  constructor(readonly place: string) {}

  async put(path: string, bytes: Uint8Array): Promise<void> {
    const target = join(this.place, path);
    const unfinished = `${target}.${randomBytes(4).toString('hex')}${UNFINISHED}`;
    await this.whileUsable(async () => {
      const made = await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      try {
        await write(unfinished, bytes);
        await rename(unfinished, target);
      } catch (error) {
        await unlink(unfinished).catch(() => undefined); // The first error says more.
        throw error;
      }
      await this.syncFolders(dirname(target), made);
    });
  }

  get(path: string): Promise<Uint8Array | undefined> {
    return this.whileUsable(() => readFile(join(this.place, path)).catch(noneIfMissing));
  }

  async *names(path: string): AsyncGenerator<string> {
    const folder = await this.whileUsable(() => opendir(join(this.place, path)).catch(noneIfMissing));
    if (folder === undefined) return;
    try {
      for await (const { name } of folder) if (!name.endsWith(UNFINISHED)) yield name;
    } catch (error) {
      throw troubleWith(this.place, error);
    }
  }

  async remove(path: string): Promise<void> {
    await this.whileUsable(() => rm(join(this.place, path), { recursive: true, force: true }));
  }

  /** Makes the names of a file and of its folders survive a crash of the machine. @param made the topmost folder that is new, if any is */
  private async syncFolders(path: string, made: string | undefined): Promise<void> {
    const top = made !== undefined && made.length <= this.place.length ? dirname(made) : this.place;
    for (let folder = path; ; folder = dirname(folder)) {
      await sync(folder);
      if (folder.length <= top.length) return;
    }
  }

  private async whileUsable<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw troubleWith(this.place, error);
    }
  }
}

/** What an error of the file system means for large values. */
export function troubleWith(place: string, cause: unknown): TaskError {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const remedy = 'Make room on its disk, or set LONGHAUL_BLOBS to a folder on another one';
    return new TaskError('VALUES_FULL', `There is no room for large values in ${place}. ${remedy}.`, undefined, { cause });
  }
  return new TaskError('VALUES_UNAVAILABLE', `The folder of large values ${place} cannot be used: ${message}`, undefined, { cause });
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function sync(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function noneIfMissing(error: unknown): undefined {
  if (!MISSING.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
}

/** There is nothing under the path, or other paths continue below it. */
const MISSING = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);
