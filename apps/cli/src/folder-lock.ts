/**
 * One launcher per data folder. The lock is a listening socket: the system itself says whether its owner lives, so a
 * crash leaves nothing that has to be believed, and no process id can be mistaken for another's after a restart.
 */
import { once } from 'node:events';
import { rename, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';

import { errorCode, UserError } from './user-error.js';

/** @returns what the owner of the socket says (its process id), undefined when nobody listens */
async function owner(path: string): Promise<string | undefined> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return (await text(socket)).trim();
  } catch (error) {
    if (['ECONNREFUSED', 'ECONNRESET', 'ENOENT'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  } finally {
    socket.destroy();
  }
}

/** Moves a socket away that nobody listens on. Looks again after the move: another launcher may have taken it over meanwhile. */
async function removeStale(path: string): Promise<void> {
  const aside = `${path}.${process.pid}`;
  await rename(path, aside);
  if ((await owner(aside)) === undefined) await rm(aside, { force: true });
  else await rename(aside, path);
}

async function tryToLock(path: string): Promise<(() => Promise<void>) | undefined> {
  const server = createServer((socket) => socket.on('error', () => undefined).end(`${process.pid}\n`));
  try {
    server.listen(path);
    await once(server, 'listening');
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE') return undefined;
    throw new UserError(`cannot make the socket ${path} (${errorCode(error) ?? String(error)}): set LONGHAUL_DATA_DIR to a local folder`);
  }
  return async () => {
    server.close();
    await once(server, 'close');
  };
}

/** Gives the folder back, or says which process has it. */
export type LockOutcome = { readonly unlock: () => Promise<void> } | { readonly ownerPid: string };

/**
 * Takes the folder for this process, unless another launcher has it.
 *
 * @param path of the socket
 * @param folder for people
 */
export async function lockFolder(path: string, folder: string): Promise<LockOutcome> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const unlock = await tryToLock(path);
    if (unlock !== undefined) return { unlock };
    const ownerPid = await owner(path);
    if (ownerPid !== undefined) return { ownerPid };
    await removeStale(path).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error;
    });
  }
  throw new UserError(`cannot take the data folder ${folder}: other launchers start at the same moment, try again`);
}
