/**
 * Backs up a deployment on a data file, and restores it. A backup is complete or it is not there: it is written under another name, read
 * again from beginning to end, and renamed.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import type { BlobStore } from '@longhaul/tasks';
import { type BackupCounts, BackupFile, copyDataFile, isInUse, settleDataFile, syncToDisk } from '@longhaul/sqlite';
import { SCHEMA } from './schema.js';

/** Where a deployment is kept. */
export interface Deployment {
  /** The data file. */
  readonly path: string;
  /** Where the large values of the deployment with this secret are. Absent: it has none. */
  readonly valuesOf?: ((secret: string) => Promise<{ readonly blobs: BlobStore; readonly folder: string }>) | undefined;
}

/** What a backup has. */
export type BackedUp = BackupCounts;

/** A file under this name is not complete. */
const UNFINISHED = '.part';
/** The data file that a restored one takes the place of. */
const REPLACED = '.before-restore';

/**
 * Copies the data file and its large values to a new file, while the deployment runs.
 *
 * @throws Error with one line that says what to do
 */
export async function backUp({ path, valuesOf }: Deployment, to: string): Promise<BackedUp> {
  if (!existsSync(path)) throw new Error(`There is no data file at ${path}: set LONGHAUL_DATA_DIR to its folder.`);
  if (existsSync(to)) throw new Error(`${to} is there already: name another file, or move it away.`);
  return finished(to, async (unfinished) => {
    copyDataFile(path, unfinished);
    return withBackup(unfinished, async (backup) => {
      // Values are written before their references, so all that the copy refers to is there by now.
      const values = backup.secret === undefined ? undefined : await valuesOf?.(backup.secret);
      if (values !== undefined) await copyValues(values.blobs, values.folder, '', backup);
      return backup.verify();
    });
  });
}

/**
 * Makes a backup the data file of a deployment that does not run. Its large values are put back where the deployment keeps them.
 *
 * @param force whether it takes the place of a data file, which is kept under another name
 * @throws Error with one line that says what to do
 */
export async function restore({ path, valuesOf }: Deployment, from: string, force: boolean): Promise<BackedUp> {
  if (!existsSync(from)) throw new Error(`There is no file ${from}.`);
  const counts = await withBackup(from, async (backup) => backup.verify());
  const isThere = existsSync(path);
  if (isThere && (await isInUse(path))) throw new Error(`Processes have ${path} open: stop all of them before you restore a backup.`);
  if (isThere && !force)
    throw new Error(`There is a data file at ${path}: --force keeps it as ${path}${REPLACED} and restores the backup.`);
  await finished(path, async (unfinished) => {
    copyDataFile(from, unfinished);
    await withBackup(unfinished, async (backup) => {
      const values = backup.secret === undefined ? undefined : await valuesOf?.(backup.secret);
      if (counts.values > 0 && values === undefined)
        throw new Error(`${from} has large values: set LONGHAUL_BLOBS to the folder that they belong in.`);
      if (values !== undefined) for (const value of backup.values()) await values.blobs.put(`${values.folder}/${value.path}`, value.bytes);
      backup.become();
      backup.verify();
    });
    if (!isThere) return;
    settleDataFile(path);
    renameSync(path, `${path}${REPLACED}`);
  });
  return counts;
}

async function withBackup<T>(path: string, use: (backup: BackupFile) => Promise<T>): Promise<T> {
  const backup = new BackupFile(path, SCHEMA);
  try {
    return await use(backup);
  } finally {
    backup.close();
  }
}

/** Has a file written under another name, which it gets when it is complete. */
async function finished<T>(path: string, write: (unfinished: string) => Promise<T>): Promise<T> {
  const unfinished = `${path}${UNFINISHED}`;
  rmSync(unfinished, { force: true });
  try {
    const written = await write(unfinished);
    syncToDisk(unfinished);
    renameSync(unfinished, path);
    syncToDisk(path);
    return written;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

async function copyValues(blobs: BlobStore, folder: string, below: string, backup: BackupFile): Promise<void> {
  for await (const name of blobs.names(`${folder}${below}`)) {
    const path = `${below}/${name}`;
    const bytes = await blobs.get(`${folder}${path}`);
    if (bytes === undefined) await copyValues(blobs, folder, path, backup);
    else backup.addValue(path.slice(1), bytes);
  }
}
