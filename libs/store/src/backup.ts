import type { SharedConfig } from '@longhaul/runtime/environment';
import { type BackedUp, backUp, type Deployment, restore } from '@longhaul/store-sqlite';
import { openBlobs } from './blobs/open-blobs.js';
import { folderOf } from './open-store.js';

/** Backs up the data file that the settings name, with its large values. @throws Error with one line that says what to do */
export function backUpStore(config: SharedConfig, to: string): Promise<BackedUp> {
  return backUp(deploymentOf(config), to);
}

/** Restores a backup as the data file that the settings name. @throws Error with one line that says what to do */
export function restoreStore(config: SharedConfig, from: string, force: boolean): Promise<BackedUp> {
  return restore(deploymentOf(config), from, force);
}

function deploymentOf({ dataFile, blobs }: SharedConfig): Deployment {
  if (dataFile === undefined) throw new Error('Tasks are in Redis (REDIS_URL): back it up by its own means, see docs/backup.md.');
  if (blobs === undefined) return { path: dataFile.path };
  return { path: dataFile.path, valuesOf: async (secret) => ({ blobs: await openBlobs(blobs), folder: folderOf(secret) }) };
}
