/** Converts paths and patterns of a caller into arguments of git. */
import { lstat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommandFailure } from './git-failure.js';
import { isQuoted, unquoted } from './quoted-names.js';
import type { Repository } from './repository.js';

/**
 * The argument of git for each path. An existing path means itself, even if it looks like a pattern to git: `:weird` and `[id].tsx` are
 * files. A name in git's quotes also means itself. Everything else is a pattern such as `*.md`, but never one of git's `:(magic)`.
 *
 * @throws CommandFailure for a path that begins with a colon and does not exist
 */
export async function pathspecsOf(repository: Repository, paths: readonly string[]): Promise<readonly string[]> {
  return Promise.all(
    paths.map(async (path) => {
      // Git refuses the empty one, which as a literal would be everything.
      if (path === '' || path === '.') return path;
      for (const name of isQuoted(path) ? [path, unquoted(path)] : [path]) if (await isThere(repository, name)) return literal(name);
      if (path.startsWith(':')) throw notThere(path, paths);
      return path;
    }),
  );
}

/** As git says it of a path that is not there. */
function notThere(path: string, paths: readonly string[]): CommandFailure {
  return new CommandFailure(['add', '--', ...paths], 128, `fatal: pathspec '${path}' did not match any files`);
}

function literal(name: string): string {
  return `:(literal)${name}`;
}

/** In the work tree, or in the index only. */
async function isThere(repository: Repository, name: string): Promise<boolean> {
  const found = await lstat(resolve(repository.folder, name)).catch(() => undefined);
  return found !== undefined || (await repository.list(['ls-files', '-z', '--', literal(name)])).length > 0;
}
