/** Into the index and out of it. */
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { GitFailure } from './git-failure.js';
import { requireObject } from './objects.js';
import { oneAtATime, untilUnlocked } from './one-at-a-time.js';
import { refuseSubmodulesOut } from './open-repository.js';
import { isWithin, realPathOf, Roots } from './paths.js';
import type { Repository } from './repository.js';

const MIB = 1024 * 1024;

/** A list of files; one that is longer is refused. */
const MAX_LIST_BYTES = 64 * MIB;

/**
 * Looks at paths before they are staged.
 *
 * @param roots the allowed folders
 * @returns a digest of what is staged of them
 * @throws GitFailure for a path that leads out of the repository
 */
export async function lookAtFiles(repository: Repository, files: readonly string[], roots: readonly string[]): Promise<string> {
  if (!isEverything(files)) for (const file of files) await refuseOutside(repository, file);
  const { entries, digest } = await stagedEntries(repository, files);
  const others = await listOf(repository, ['ls-files', '--others', '--exclude-standard', '-z', '--', ...files]);
  // What is no file is a repository in the repository.
  await refuseSubmodulesOut(repository, await Roots.of(roots), [...gitlinksAmong(entries), ...others.filter((path) => path.endsWith('/'))]);
  return digest;
}

/** Stages paths. @param before the digest of what was staged of them */
export async function stageFiles(repository: Repository, files: readonly string[], before: string): Promise<string> {
  return oneAtATime(repository, async () => {
    const args = isEverything(files) ? ['add', '.'] : ['add', '--', ...files];
    await untilUnlocked(repository, () => repository.run(args, { maxBytes: MAX_LIST_BYTES }));
    if ((await stagedEntries(repository, files)).digest !== before) return 'Files staged successfully';
    return 'No changes were staged: the given paths had nothing new to stage. git_status shows what is modified or untracked.';
  });
}

/** Makes the index what HEAD is, and leaves files as they are. */
export async function unstageAll(repository: Repository): Promise<string> {
  return oneAtATime(repository, async () => {
    const { id } = await requireObject(repository, 'HEAD');
    await untilUnlocked(repository, () => repository.run(['read-tree', '--reset', id]));
    return 'All staged changes reset';
  });
}

/** @throws GitFailure when a submodule of the repository is outside of the allowed folders */
export async function refuseForeignSubmodules(repository: Repository, roots: readonly string[]): Promise<void> {
  const gitlinks = gitlinksAmong((await stagedEntries(repository, [])).entries);
  if (gitlinks.length > 0) await refuseSubmodulesOut(repository, await Roots.of(roots), gitlinks);
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

/** Mode, object, stage and path of what is staged, and a digest of all that. */
async function stagedEntries(repository: Repository, files: readonly string[]) {
  const entries = await listOf(repository, ['ls-files', '--stage', '-z', '--', ...files]);
  return { entries, digest: createHash('sha256').update(entries.join('\0')).digest('hex') };
}

function gitlinksAmong(entries: readonly string[]): readonly string[] {
  return entries.flatMap((entry) => (entry.startsWith('160000 ') ? [entry.slice(entry.indexOf('\t') + 1)] : []));
}

async function listOf(repository: Repository, args: readonly string[]): Promise<readonly string[]> {
  const { stdout, isCut } = await repository.run(args, { maxBytes: MAX_LIST_BYTES });
  if (isCut) throw new GitFailure(`The list of its files has more than ${MAX_LIST_BYTES / MIB} MiB, which is too much for this tool`);
  return stdout.toString('utf8').split('\0').slice(0, -1);
}
