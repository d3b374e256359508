import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** A server program that is new enough. */
export interface RedisServerProgram {
  /** Absolute. */
  readonly path: string;
  /** A readable name, such as `redis-server 7.0.15`. */
  readonly label: string;
}

const NAMES = ['redis-server', 'valkey-server'];
const OLDEST_MAJOR = 7;

/** @returns the version that the program prints, undefined when it does not run */
async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 5_000 });
    return /\bv=(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * Looks for a Redis (7 or newer) or Valkey server, in the order of PATH.
 *
 * @returns undefined when there is none, and always on Windows, where neither has unix sockets
 */
export async function findRedisServer(path = process.env['PATH'] ?? ''): Promise<RedisServerProgram | undefined> {
  if (process.platform === 'win32') return undefined;
  for (const name of NAMES) {
    for (const folder of path.split(delimiter).filter((entry) => entry.startsWith('/'))) {
      const program = join(folder, name);
      if (!(await isExecutable(program))) continue;
      const version = await versionOf(program);
      if (version !== undefined && Number.parseInt(version, 10) >= OLDEST_MAJOR) return { path: program, label: `${name} ${version}` };
    }
  }
  return undefined;
}
