import { CommandFailure, GitFailure, refuseOption } from './git-failure.js';
import { findObject, requireObject } from './objects.js';
import { oneAtATime, untilUnlocked } from './one-at-a-time.js';
import type { Repository } from './repository.js';

const BRANCHES = 'refs/heads/';

const TYPE_OPTIONS: Readonly<Record<string, readonly string[]>> = { local: [], remote: ['-r'], all: ['-a'] };

/** Which branches are listed. */
export interface BranchFilter {
  readonly branch_type: string;
  readonly contains: string | null;
  readonly not_contains: string | null;
}

/** Branches as `git branch` lists them. */
export async function listBranches(repository: Repository, filter: BranchFilter): Promise<string> {
  const { branch_type: type, contains, not_contains: notContains } = filter;
  refuseOption('Invalid contains value', contains);
  refuseOption('Invalid not_contains value', notContains);
  const options = Object.hasOwn(TYPE_OPTIONS, type) ? TYPE_OPTIONS[type] : undefined;
  if (options === undefined) throw new GitFailure(`Invalid branch type: ${type}`);
  const args = ['branch', ...options, ...option('contains', contains), ...option('no-contains', notContains)];
  // The value of an option, also if it looks like one.
  const joined = ['branch', ...options, ...option('contains', contains, '='), ...option('no-contains', notContains, '=')];
  return repository.text(joined, { shownAs: args });
}

function option(name: string, value: string | null, sign?: '='): readonly string[] {
  if (value === null) return [];
  return sign === undefined ? [`--${name}`, value] : [`--${name}${sign}${value}`];
}

/** @param idempotencyKey the same when it runs again, so that a branch of its own is no surprise then */
export async function createBranch(repository: Repository, name: string, baseName: string | null, idempotencyKey: string): Promise<string> {
  refuseOption('Invalid branch name', name);
  refuseOption('Invalid base branch', baseName);
  const base = await baseOf(repository, baseName);
  await refuseNoBranchName(repository, name);
  const ref = `${BRANCHES}${name}`;
  const created = `Created branch '${name}' from '${base.name}'`;
  const reason = `branch: ${created} (${idempotencyKey})`;
  return oneAtATime(repository, async () => {
    const exists = async (): Promise<boolean> => (await findObject(repository, ref)) !== undefined;
    if (!(await exists())) {
      try {
        const args = ['update-ref', '--create-reflog', '-m', reason, ref, base.id, '0'.repeat(base.id.length)];
        await repository.run(args, { shownAs: ['branch', name, base.name] });
        return created;
      } catch (error) {
        if (!(error instanceof CommandFailure) || !(await exists())) throw error;
      }
    }
    if ((await reasonsOf(repository, ref)).includes(reason)) return created;
    throw new GitFailure(`Cannot create branch '${name}': ${ref} already exists`);
  });
}

/** Why a branch was moved, each time. */
async function reasonsOf(repository: Repository, ref: string): Promise<readonly string[]> {
  return repository.lines(['log', '--walk-reflogs', '--format=%gs', ref, '--']).catch((error: unknown) => {
    if (error instanceof CommandFailure) return [];
    throw error;
  });
}

interface Base {
  readonly name: string;
  readonly id: string;
}

async function baseOf(repository: Repository, name: string | null): Promise<Base> {
  if (name === null || name === '') return activeBranch(repository);
  for (const kind of [BRANCHES, 'refs/remotes/', 'refs/tags/']) {
    // A name only, not an expression such as `main~1`.
    const isName = await succeeds(repository, ['check-ref-format', kind + name]);
    const commit = isName ? await findObject(repository, `${kind}${name}^{commit}`) : undefined;
    if (commit !== undefined) return { name, id: commit.id };
  }
  throw new GitFailure(`No item found with id ${name}`);
}

async function activeBranch(repository: Repository): Promise<Base> {
  const ref = await headRef(repository);
  if (ref === undefined) throw new GitFailure('HEAD is detached, so there is no current branch to branch from; pass base_branch');
  const name = shortName(ref);
  const commit = await findObject(repository, ref);
  if (commit === undefined) throw new GitFailure(`Ref '${name}' did not resolve to an object`);
  return { name, id: commit.id };
}

/** The branch that HEAD is; nothing when it is detached. */
async function headRef(repository: Repository): Promise<string | undefined> {
  try {
    return await repository.text(['symbolic-ref', '--quiet', 'HEAD']);
  } catch (error) {
    if (error instanceof CommandFailure && error.exitCode === 1) return undefined;
    throw error;
  }
}

/** Whether HEAD is a branch that has no commit yet. A branch with a missing commit is different. */
export async function isUnborn(repository: Repository): Promise<boolean> {
  const ref = await headRef(repository);
  return ref !== undefined && !(await succeeds(repository, ['rev-parse', '--quiet', '--verify', ref]));
}

function shortName(ref: string): string {
  return ref.startsWith(BRANCHES) ? ref.slice(BRANCHES.length) : ref;
}

async function refuseNoBranchName(repository: Repository, name: string): Promise<void> {
  const [checked] = await repository.lines(['check-ref-format', '--branch', name]).catch((error: unknown) => {
    if (error instanceof CommandFailure) return [];
    throw error;
  });
  if (checked !== name) throw new GitFailure(`Invalid reference '${BRANCHES}${name}': it is no name that a branch can have`);
}

async function succeeds(repository: Repository, args: readonly string[]): Promise<boolean> {
  return repository.run(args).then(
    () => true,
    (error: unknown) => {
      if (error instanceof CommandFailure) return false;
      throw error;
    },
  );
}

/** Where HEAD is, and where it is to go. */
export interface Departure {
  /** The branch that HEAD is, or its commit. */
  readonly head: string;
  /** The commit that the name means here: afterwards `HEAD~1` means another commit. */
  readonly target: string;
}

export async function departureTo(repository: Repository, name: string): Promise<Departure> {
  refuseOption('Invalid branch name', name);
  await requireObject(repository, name);
  const target = (await findObject(repository, `${name}^{commit}`))?.id ?? '';
  return { head: await placeOfHead(repository), target };
}

async function placeOfHead(repository: Repository): Promise<string> {
  return (await headRef(repository)) ?? (await requireObject(repository, 'HEAD')).id;
}

/** Makes the work tree a branch, or another commit without a branch; does nothing when that has been done since the departure. */
export async function checkOut(repository: Repository, name: string, { head, target }: Departure): Promise<string> {
  return oneAtATime(repository, async () => {
    const hasArrived = (await findObject(repository, 'HEAD'))?.id === target && (await placeOfHead(repository)) !== head;
    if (!hasArrived) await switchTo(repository, name);
    const ref = await headRef(repository);
    if (ref !== undefined) return `Switched to branch '${shortName(ref)}'`;
    const { id } = await requireObject(repository, 'HEAD');
    return `HEAD is now detached at ${id.slice(0, 7)}`;
  });
}

async function switchTo(repository: Repository, name: string): Promise<void> {
  // Nothing after the two dashes: the name is none of a file. And no branch is made of one of a remote.
  const args = ['checkout', '--quiet', '--no-guess', '--no-recurse-submodules', name, '--'];
  await untilUnlocked(repository, () => repository.run(args, { shownAs: ['checkout', name] }));
}
