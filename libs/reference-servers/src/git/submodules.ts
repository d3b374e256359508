/**
 * Checks submodules, and repositories among the files of another one, which would become submodules. Git reads their checked-out state, and
 * `git add` starts itself in them, with any settings. So they, and their own submodules, are checked like the repository itself. Settings
 * in their configuration that could make git run a program are overridden too.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryAt } from './open-repository.js';
import { Roots } from './paths.js';
import { Repository } from './repository.js';

/**
 * The same repository, for commands that read its submodules.
 *
 * @param roots the allowed folders
 * @param nested paths in the work tree of repositories that are no submodules yet
 * @throws GitFailure when a submodule, or a part of it, is outside of the allowed folders
 */
export async function withSubmodules(
  repository: Repository,
  roots: readonly string[],
  nested: readonly string[] = [],
): Promise<Repository> {
  const gitlinks = await gitlinksOf(repository);
  if (gitlinks.length + nested.length === 0) return repository;
  const configured = await namesIn(repository, [...gitlinks, ...nested], await Roots.of(roots));
  return new Repository({ ...repository.parts, configured: [...repository.parts.configured, ...configured] });
}

/** The settings in the configurations of submodules. */
async function namesIn(repository: Repository, paths: readonly string[], roots: Roots): Promise<readonly string[]> {
  const names: string[] = [];
  for (const path of paths) {
    const place = join(repository.folder, path);
    if ((await lstat(place).catch(() => undefined)) === undefined) continue;
    const submodule = await repositoryAt(await roots.confined(place, 'Its submodule'), roots, repository.signal);
    if (submodule === undefined) continue;
    names.push(...submodule.parts.configured, ...(await namesIn(submodule, await gitlinksOf(submodule), roots)));
  }
  return names;
}

async function gitlinksOf(repository: Repository): Promise<readonly string[]> {
  const entries = await repository.list(['ls-files', '--stage', '-z']);
  return entries.flatMap((entry) => (entry.startsWith('160000 ') ? [entry.slice(entry.indexOf('\t') + 1)] : []));
}
