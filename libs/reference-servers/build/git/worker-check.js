import { stat } from 'node:fs/promises';
import { ConfigError } from '@longhaul/runtime/environment';
import { runGit } from './git-process.js';
/** Checks what only workers need: the folders, and git. @throws ConfigError with a line for each folder that is missing; GitFailure without git */
export async function checkWorker(roots) {
    const isFolder = await Promise.all(roots.map((root) => stat(root).then((found) => found.isDirectory(), () => false)));
    const missing = roots.filter((_root, index) => isFolder[index] !== true);
    if (missing.length > 0)
        throw new ConfigError(missing.map((root) => `LONGHAUL_GIT_ROOTS: "${root}" is no folder on this worker`).join('\n'));
    const signal = AbortSignal.timeout(10_000);
    if (roots.length > 0)
        await runGit({ args: ['--version'], folder: '/', settings: [], signal });
}
//# sourceMappingURL=worker-check.js.map