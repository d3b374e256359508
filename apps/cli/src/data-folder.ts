import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode, UserError } from './user-error.js';

/** What fits into a unix socket's address on every system: 104 bytes on macOS, 108 on Linux, with the final zero. */
export const MAX_SOCKET_PATH_BYTES = 103;

/** What a URL or ioredis takes for something else than a part of the path. */
const AMBIGUOUS_IN_URL = /[\s?#%]/;

/** Not the temporary folder of the environment: two launchers with different TMPDIR values must get the same path. */
const SHORT_ROOT = '/tmp';

/** Where the private Redis keeps its data, and where sockets go. */
export interface DataFolder {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** An absolute path that is short enough to be a socket's, and plain enough for a URL. */
  socketPath(name: string): string;
}

/**
 * Makes the folder if need be, readable by this user only.
 *
 * @throws UserError when it cannot be written
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new UserError(
      `the data folder ${path} cannot be written (${errorCode(error) ?? String(error)}): set LONGHAUL_DATA_DIR to one that can, or set REDIS_URL`,
    );
  }
  const real = await realpath(path);
  const longest = Buffer.byteLength(join(real, 'launcher.sock'));
  const socketRoot = longest > MAX_SOCKET_PATH_BYTES || AMBIGUOUS_IN_URL.test(real) ? await shortFolder(real) : real;
  return { path: real, socketPath: (name) => join(socketRoot, name) };
}

async function shortFolder(path: string): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const folder = join(SHORT_ROOT, `longhaul-${uid}-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  // Anybody may write to the root: a folder that somebody else prepared there could swap the socket.
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new UserError(`${folder} belongs to somebody else or is open to others: remove it, or choose a shorter LONGHAUL_DATA_DIR`);
  }
  return folder;
}
