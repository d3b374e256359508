import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Cleanup } from '../processes/cleanup.js';
import { errorCode, UserError } from '../user-error.js';

/** The longest address of a unix socket on every system: 104 bytes on macOS, 108 on Linux, with the final zero. */
const MAX_SOCKET_PATH_BYTES = 103;

const PREFIX = 'longhaul-stdio-';
const SUFFIX_LENGTH = 'XXXXXX/gateway.sock'.length;

/**
 * A path for the gateway's socket, in a new folder that only this user can enter. On Windows it is a name for a pipe.
 *
 * @throws UserError when there is no place for it
 */
export async function gatewaySocket(cleanup: Cleanup): Promise<string> {
  if (process.platform === 'win32') return `\\\\.\\pipe\\${PREFIX}${randomUUID()}`;
  const given = join(tmpdir(), PREFIX);
  const prefix = Buffer.byteLength(given) + SUFFIX_LENGTH > MAX_SOCKET_PATH_BYTES ? join('/tmp', PREFIX) : given;
  const folder = await mkdtemp(prefix).catch((error: unknown) => {
    throw new UserError(
      `no folder can be made at ${prefix}… (${errorCode(error) ?? String(error)}): set TMPDIR to one that can be written`,
    );
  });
  cleanup.add(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'gateway.sock');
}
