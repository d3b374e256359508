/**
 * Submodules, and repositories among the files of another one, which would become some. Git reads of them what is checked out, and
 * `git add` starts itself in them, with any settings: so they are looked at like the repository itself, with theirs in turn, and what
 * their configuration could make git run is overridden too.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryAt } from './open-repository.js';
import { Roots } from './paths.js';
import { Repository } from './repository.js';
/**
 * The same repository, to be used by commands that look into its submodules.
 *
 * @param roots the allowed folders
 * @param nested paths in the work tree of repositories that are no submodules yet
 * @throws GitFailure when one is outside of the allowed folders, or a part of it
 */
export async function withSubmodules(repository, roots, nested = []) {
    const gitlinks = await gitlinksOf(repository);
    if (gitlinks.length + nested.length === 0)
        return repository;
    const configured = await namesIn(repository, [...gitlinks, ...nested], await Roots.of(roots));
    return new Repository({ ...repository.parts, configured: [...repository.parts.configured, ...configured] });
}
/** What the configurations of submodules set. */
async function namesIn(repository, paths, roots) {
    const names = [];
    for (const path of paths) {
        const place = join(repository.folder, path);
        if ((await lstat(place).catch(() => undefined)) === undefined)
            continue;
        const submodule = await repositoryAt(await roots.confined(place, 'Its submodule'), roots, repository.signal);
        if (submodule === undefined)
            continue;
        names.push(...submodule.parts.configured, ...(await namesIn(submodule, await gitlinksOf(submodule), roots)));
    }
    return names;
}
async function gitlinksOf(repository) {
    const entries = await repository.list(['ls-files', '--stage', '-z']);
    return entries.flatMap((entry) => (entry.startsWith('160000 ') ? [entry.slice(entry.indexOf('\t') + 1)] : []));
}
//# sourceMappingURL=submodules.js.map