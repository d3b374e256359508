/**
 * Commits in two steps, so that a worker may die at any moment and the commit exists once. The first step writes the commit's object, which
 * is not visible yet, and records its id. The second step moves the branch from the commit's parent to the commit. Run again, it finds that
 * the branch has the commit already. If another process has moved the branch, both steps run again.
 */
import { firstCharacters } from '@longhaul/tasks/text';
import { readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailure, GitFailure } from './git-failure.js';
import { findObject } from './objects.js';
import { oneAtATime, untilUnlocked } from './one-at-a-time.js';
import { isAbsent } from './paths.js';
import type { Repository } from './repository.js';

/** The part of a message that the log of the branch shows; the whole message would be too long for an argument. */
const MAX_SUBJECT_LENGTH = 1_000;

/** A commit with a written object that no branch has yet. */
export interface PlannedCommit {
  readonly id: string;
  readonly subject: string;
  /** The commit of HEAD, which must not have changed; nothing before the first commit. */
  readonly head: string | null;
  /** The commits that it merges, from `MERGE_HEAD`. */
  readonly merged: readonly string[];
  /** Changes that the merge has put aside and that must be applied after it. */
  readonly autostash: string | null;
}

const NOTHING_STAGED = 'No changes staged for commit. Use git_add to stage changes first; git_status shows what is currently staged.';

const MERGE_FILES = ['MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE', 'AUTO_MERGE'];

/**
 * Writes the staged changes as a commit that no branch has.
 *
 * @param atMs when it is made, epoch milliseconds
 * @throws GitFailure when nothing is staged, or the repository has no author
 */
export async function planCommit(repository: Repository, message: string, atMs: number): Promise<PlannedCommit> {
  return oneAtATime(repository, async () => {
    const head = (await findObject(repository, 'HEAD'))?.id ?? null;
    const merged = (await linesOf(repository, 'MERGE_HEAD')).filter((line) => /^[0-9a-f]{40,64}$/.test(line));
    const tree = await untilUnlocked(repository, () => repository.text(['write-tree']));
    if (merged.length === 0 && !(await isChange(repository, tree, head))) throw new GitFailure(NOTHING_STAGED);
    const parents = [...(head === null ? [] : [head]), ...merged].flatMap((id) => ['-p', id]);
    const id = await repository
      .text(['commit-tree', tree, ...parents], { input: message, env: datesOf(atMs), shownAs: ['commit'] })
      .catch(explainIdentity);
    const [autostash = null] = await linesOf(repository, 'MERGE_AUTOSTASH');
    return { id, subject: firstCharacters(message.split('\n', 1)[0] ?? '', MAX_SUBJECT_LENGTH), head, merged, autostash };
  });
}

/**
 * Moves the branch to a planned commit; does nothing when it is there already.
 *
 * @returns the text that reports it; nothing when HEAD has become another commit since then
 */
export async function recordCommit(repository: Repository, planned: PlannedCommit): Promise<string | undefined> {
  return oneAtATime(repository, async () => {
    const { id, head, subject, merged } = planned;
    if (!(await isRecorded(repository, id))) {
      const kind = head === null ? ' (initial)' : merged.length > 0 ? ' (merge)' : '';
      const old = head ?? '0'.repeat(id.length);
      try {
        await repository.run(['update-ref', '-m', `commit${kind}: ${subject}`, 'HEAD', id, old], { shownAs: ['commit'] });
      } catch (error) {
        if (!(error instanceof CommandFailure)) throw error;
        // The git of a worker that died outlives it, and may have moved the branch in the meantime.
        if (!(await isRecorded(repository, id))) {
          const now = (await findObject(repository, 'HEAD'))?.id ?? null;
          if (now !== head) return undefined;
          throw error;
        }
      }
    }
    return `Changes committed successfully with hash ${id}${await concludeMerge(repository, planned)}`;
  });
}

/** Whether a branch, or HEAD where it is detached, has the commit. */
async function isRecorded(repository: Repository, id: string): Promise<boolean> {
  const branches = await repository.lines(['for-each-ref', '--count=1', '--format=%(refname)', `--contains=${id}`]);
  if (branches.length > 0) return true;
  const head = await findObject(repository, 'HEAD');
  if (head === undefined) return false;
  return repository.run(['merge-base', '--is-ancestor', id, head.id]).then(
    () => true,
    (error: unknown) => {
      if (error instanceof CommandFailure && error.exitCode === 1) return false;
      throw error;
    },
  );
}

async function isChange(repository: Repository, tree: string, head: string | null): Promise<boolean> {
  if (head !== null) return (await findObject(repository, `${head}^{tree}`))?.id !== tree;
  const { stdout } = await repository.run(['ls-tree', tree]);
  return stdout.byteLength > 0;
}

/** In UTC, so that it is the same on every machine. */
function datesOf(atMs: number): Readonly<Record<string, string>> {
  const date = `@${Math.floor(atMs / 1000)} +0000`;
  return { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
}

function explainIdentity(error: unknown): never {
  if (error instanceof CommandFailure && /tell me who you are|no email was given|no name was given|empty ident/i.test(error.stderr))
    throw new GitFailure(
      'The repository does not say who commits: set user.name and user.email in its configuration (git config user.name …)',
    );
  throw error;
}

/** As `git commit` ends a merge: its state goes, and what it has put aside comes back. @returns a note about that */
async function concludeMerge(repository: Repository, { merged, autostash }: PlannedCommit): Promise<string> {
  if (merged.length === 0) return '';
  const present = await linesOf(repository, 'MERGE_HEAD');
  // Somebody may have begun another merge since.
  if (present.join() === merged.join()) for (const name of MERGE_FILES) await remove(join(repository.gitFolder, name));
  const [stashed] = await linesOf(repository, 'MERGE_AUTOSTASH');
  if (autostash === null || stashed !== autostash) return '';
  const note = await applyAutostash(repository, autostash);
  await remove(join(repository.gitFolder, 'MERGE_AUTOSTASH'));
  return note;
}

async function applyAutostash(repository: Repository, id: string): Promise<string> {
  try {
    await untilUnlocked(repository, () => repository.run(['stash', 'apply', id]));
    return '\nApplied autostash.';
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    await repository.run(['stash', 'store', '-m', 'autostash', '-q', id]);
    return '\nApplying autostash resulted in conflicts. Your changes are safe in the stash; run "git stash pop" or "git stash drop" at any time.';
  }
}

async function linesOf({ gitFolder }: Repository, name: string): Promise<readonly string[]> {
  const text = await readFile(join(gitFolder, name), 'utf8').catch((error: unknown) => {
    if (isAbsent(error)) return '';
    throw error;
  });
  return text.split('\n').filter((line) => line !== '');
}

async function remove(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (!isAbsent(error)) throw error;
  });
}
