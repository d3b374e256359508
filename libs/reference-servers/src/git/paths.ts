/** Resolves paths through symbolic links. */
import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { GitFailure } from './git-failure.js';

const MAX_LINKS = 40;

/**
 * The path without any symbolic link. A path that does not exist yet counts by its name, and a link to it by its target.
 *
 * @param path an absolute one
 * @throws the file system's error for links in circles and folders that cannot be read
 */
export async function realPathOf(path: string, links = MAX_LINKS): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isAbsent(error) || path === dirname(path)) throw error;
    const target = await readlink(path).catch(() => undefined);
    if (target === undefined) return join(await realPathOf(dirname(path), links), basename(path));
    if (links === 0) throw error;
    return realPathOf(resolve(await realPathOf(dirname(path), links), target), links - 1);
  }
}

/** Whether a path is that folder or lies in it. Both without links. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Whether an error of the file system says that there is nothing. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** The folders that everything has to lie in. */
export class Roots {
  private constructor(
    /** As they are configured. */
    readonly configured: readonly string[],
    private readonly real: readonly string[],
  ) {}

  /** Those that are there. */
  static async of(configured: readonly string[]): Promise<Roots> {
    const real = await Promise.all(configured.map((folder) => realpath(folder).catch(() => [])));
    return new Roots(configured, real.flat());
  }

  has(realPath: string): boolean {
    return this.real.some((root) => isWithin(realPath, root));
  }

  /** The real path of what belongs to a repository. @param what it is, as in `Its git folder` @throws GitFailure when it is outside */
  async confined(path: string, what: string): Promise<string> {
    const real = await realPathOf(path).catch(() => undefined);
    if (real === undefined || !this.has(real)) throw leadsOutside(what, path);
    return real;
  }
}

/** @param what as in `Its git folder` */
export function leadsOutside(what: string, path: string): GitFailure {
  return new GitFailure(`${what} '${path}' leads to a place outside of the allowed folders, so the repository is refused`);
}
