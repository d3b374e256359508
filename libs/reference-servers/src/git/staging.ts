/** Adds files to the index and removes them from it. */
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { isUnborn } from './branches.js';
import { GitFailure } from './git-failure.js';
import { requireObject } from './objects.js';
import { oneAtATime, untilUnlocked } from './one-at-a-time.js';
import { isWithin, realPathOf } from './paths.js';
import { pathspecsOf } from './pathspecs.js';
import { MAX_LIST_BYTES, type Repository } from './repository.js';
import { withSubmodules } from './submodules.js';

/**
 * @returns a digest of what is staged of paths
 * @throws GitFailure for a path that leads out of the repository
 */
export async function digestOfStaged(repository: Repository, files: readonly string[]): Promise<string> {
  if (!isEverything(files)) for (const file of files) await refuseOutside(repository, file);
  return digestOf(repository, files, await pathspecsOf(repository, files));
}

async function digestOf(repository: Repository, files: readonly string[], pathspecs: readonly string[]): Promise<string> {
  const shownAs = ['ls-files', '--stage', '--', ...files];
  const entries = await repository.list(['ls-files', '--stage', '-z', '--', ...pathspecs], { shownAs });
  return createHash('sha256').update(entries.join('\0')).digest('hex');
}

/** The staged files, and the tool that staged them. */
export interface Staging {
  readonly files: readonly string[];
  /** The digest of what was staged of them before. */
  readonly before: string;
  /** The allowed folders. */
  readonly roots: readonly string[];
}

/** Stages paths. */
export async function stageFiles(repository: Repository, { files, before, roots }: Staging): Promise<string> {
  return oneAtATime(repository, async () => {
    const pathspecs = await pathspecsOf(repository, files);
    const others = await repository.list(['ls-files', '--others', '--exclude-standard', '-z', '--', ...pathspecs]);
    // An entry that is no file is a repository among the files.
    const nested = others.filter((path) => path.endsWith('/'));
    const adding = await withSubmodules(repository, roots, nested);
    const command = isEverything(files) ? ['add'] : ['add', '--'];
    const shownAs = [...command, ...files];
    await untilUnlocked(repository, () => adding.run([...command, ...pathspecs], { maxBytes: MAX_LIST_BYTES, shownAs }));
    if ((await digestOf(repository, files, pathspecs)) !== before) return 'Files staged successfully';
    return 'No changes were staged: the given paths had nothing new to stage. git_status shows what is modified or untracked.';
  });
}

/** Makes the index what HEAD is, and leaves files as they are. Before the first commit that is nothing. */
export async function unstageAll(repository: Repository): Promise<string> {
  return oneAtATime(repository, async () => {
    const to = (await isUnborn(repository)) ? ['--empty'] : ['--reset', (await requireObject(repository, 'HEAD')).id];
    await untilUnlocked(repository, () => repository.run(['read-tree', ...to]));
    return 'All staged changes reset';
  });
}

function isEverything(files: readonly string[]): boolean {
  return files.length === 1 && files[0] === '.';
}

async function refuseOutside({ folder }: Repository, file: string): Promise<void> {
  const real = await realPathOf(resolve(folder, file)).catch(() => {
    throw new GitFailure(`Invalid path: '${file}'`);
  });
  if (!isWithin(real, folder)) throw new GitFailure(`Path '${file}' is outside the repository '${folder}'`);
}
