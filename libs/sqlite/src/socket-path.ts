import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The shortest limit for a socket's path among the systems that Node runs on: the limit of macOS. */
const MAX_PATH_BYTES = 103;

/**
 * A new path for a socket of a process that has the file open: next to the file, or in the folder for temporary files if that path is too
 * long.
 */
export function newSocketPath(file: string): string {
  const suffix = randomBytes(4).toString('hex');
  if (process.platform === 'win32') return `\\\\.\\pipe\\longhaul-${digestOf(file)}-${suffix}`;
  const beside = `${file}-${suffix}.sock`;
  return Buffer.byteLength(beside) <= MAX_PATH_BYTES ? beside : join(ownTemporaryFolder(), `${digestOf(file)}-${suffix}.sock`);
}

/** Whether `newSocketPath` may have made it for this file. */
export function isSocketOf(file: string, path: string): boolean {
  const [, stem] = /^(.*)-[0-9a-f]{8}(?:\.sock)?$/s.exec(path) ?? [];
  return stem === file || stem?.endsWith(digestOf(file)) === true;
}

function digestOf(file: string): string {
  return createHash('sha256').update(file).digest('hex').slice(0, 16);
}

/** @throws Error with one line when other users can access it: they could listen */
function ownTemporaryFolder(): string {
  const user = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `longhaul-${user}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(folder);
  if (uid === user && (mode & 0o077) === 0) return folder;
  throw new Error(`${folder} is open to other users: remove it, or keep the data in a folder with a shorter path.`);
}
