/** Into the index and out of it. */
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { GitFailure } from './git-failure.js';
import { requireObject } from './objects.js';
import { oneAtATime, untilUnlocked } from './one-at-a-time.js';
import { isWithin, realPathOf } from './paths.js';
import { MAX_LIST_BYTES } from './repository.js';
import { withSubmodules } from './submodules.js';
/**
 * @returns a digest of what is staged of paths
 * @throws GitFailure for a path that leads out of the repository
 */
export async function digestOfStaged(repository, files) {
    if (!isEverything(files))
        for (const file of files)
            await refuseOutside(repository, file);
    const shownAs = ['ls-files', '--stage', '--', ...files];
    const entries = await repository.list(['ls-files', '--stage', '-z', '--', ...files], { shownAs });
    return createHash('sha256').update(entries.join('\0')).digest('hex');
}
/** Stages paths. */
export async function stageFiles(repository, { files, before, roots }) {
    return oneAtATime(repository, async () => {
        const others = await repository.list(['ls-files', '--others', '--exclude-standard', '-z', '--', ...files]);
        // What is no file is a repository among the files.
        const nested = others.filter((path) => path.endsWith('/'));
        const adding = await withSubmodules(repository, roots, nested);
        const args = isEverything(files) ? ['add', '.'] : ['add', '--', ...files];
        await untilUnlocked(repository, () => adding.run(args, { maxBytes: MAX_LIST_BYTES }));
        if ((await digestOfStaged(repository, files)) !== before)
            return 'Files staged successfully';
        return 'No changes were staged: the given paths had nothing new to stage. git_status shows what is modified or untracked.';
    });
}
/** Makes the index what HEAD is, and leaves files as they are. */
export async function unstageAll(repository) {
    return oneAtATime(repository, async () => {
        const { id } = await requireObject(repository, 'HEAD');
        await untilUnlocked(repository, () => repository.run(['read-tree', '--reset', id]));
        return 'All staged changes reset';
    });
}
function isEverything(files) {
    return files.length === 1 && files[0] === '.';
}
async function refuseOutside({ folder }, file) {
    const real = await realPathOf(resolve(folder, file)).catch(() => {
        throw new GitFailure(`Invalid path: '${file}'`);
    });
    if (!isWithin(real, folder))
        throw new GitFailure(`Path '${file}' is outside the repository '${folder}'`);
}
//# sourceMappingURL=staging.js.map