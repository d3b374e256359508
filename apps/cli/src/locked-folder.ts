import { join } from 'node:path';

import { openDataFolder, type DataFolder } from './data-folder.js';
import { lockFolder } from './folder-lock.js';
import { UserError } from './user-error.js';

/** A data folder that no other launcher uses. */
export interface LockedFolder {
  readonly folder: DataFolder;
  readonly unlock: () => Promise<void>;
}

const LOCK = 'launcher.sock';

/** @throws UserError when it cannot be written, or another launcher has it */
export async function lockDataFolder(path: string): Promise<LockedFolder> {
  const folder = await openDataFolder(path);
  const outcome = await lockFolder(folder.socketPath(LOCK), folder.path);
  if ('unlock' in outcome) return { folder, unlock: outcome.unlock };
  throw new UserError(
    `already running with the data folder ${folder.path} (process ${outcome.ownerPid}): end that one, or set LONGHAUL_DATA_DIR and PORT for a second one`,
  );
}

/** Where a process of `longhaul stdio` keeps its data; the first is number 1. */
export function stdioFolder(path: string, number: number): string {
  return join(path, `stdio-${number}`);
}

/**
 * Takes the first of the folders `stdio-1`, `stdio-2`, … in the data folder that is free. So any number of processes may
 * use one data folder, each with a Redis of its own: when one ends, or has other settings, the others do not notice. As
 * the lowest free number is taken, what one has left unfinished goes on with the next one.
 *
 * @throws UserError when the data folder cannot be written
 */
export async function lockFreeFolder(path: string): Promise<LockedFolder> {
  for (let number = 1; ; number += 1) {
    const folder = await openDataFolder(stdioFolder(path, number));
    const outcome = await lockFolder(folder.socketPath(LOCK), folder.path);
    if ('unlock' in outcome) return { folder, unlock: outcome.unlock };
  }
}
