/**
 * `longhaul start --watch`: what gateway and worker have imported, and is not installed, is watched, and both are replaced when it changes.
 * Tasks go on: the worker that leaves finishes what it has begun or gives it back, and the new one replays what is recorded. Each state of
 * the files is a version of its own, so that a task that does not fit the change waits for the change to be undone, instead of failing at
 * once.
 */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watchFiles } from './watched-files.js';
/**
 * Serves, and reloads when a file changes, one change after the other.
 *
 * @param serve starts to serve, with what hears of gateway and worker
 */
export async function serveAndReload({ worker: { version, noWorkerMs } }, { cwd, log, cleanup, signal }, serve) {
    let serving;
    let hasFailed = false;
    let reloading = Promise.resolve();
    const files = watchFiles(() => {
        reloading = reloading.then(reload);
    }, (folder, { message }) => log(`changes in ${relative(cwd, folder) || '.'} are not noticed: ${message}`));
    const reload = async () => {
        const { digest, changed } = files.look();
        if (serving === undefined || (changed.length === 0 && !hasFailed))
            return;
        const names = changed.map((path) => relative(cwd, path)).join(', ');
        const startedAt = performance.now();
        try {
            await serving.reload({ LONGHAUL_VERSION: version ?? `watch-${digest}` });
            hasFailed = false;
            log(`reloaded in ${Math.round(performance.now() - startedAt)} ms: ${names || 'a missing file is there'}`);
        }
        catch (error) {
            // What a stop interrupts is no failure.
            if (signal.aborted)
                return;
            hasFailed = true;
            log(`not reloaded, what ran before runs on: ${error instanceof Error ? error.message : String(error)}`);
        }
        files.countOthers(hasFailed);
    };
    const named = new Set();
    cleanup.add(() => files.close());
    serving = await serve({
        imported: (url) => files.add(fileURLToPath(url)),
        misfit({ taskId, tool, misfit }) {
            const line = `task ${taskId} of ${tool} does not fit the changed code: ${misfit}. Undo the change, or it fails in ${noWorkerMs / 1_000} s`;
            if (named.has(line))
                return;
            named.add(line);
            log(line);
        },
    });
    return serving;
}
//# sourceMappingURL=reload-on-change.js.map