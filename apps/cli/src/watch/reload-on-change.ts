/**
 * Implements `longhaul start --watch`: it watches the imported files of gateway and worker, except installed ones, and replaces both
 * processes when a file changes. Tasks continue: the old worker finishes its passes or gives them back, and the new one replays the
 * records. Each state of the files is its own version. So a task that does not fit a change waits for the change to be undone, instead of
 * failing at once.
 */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { AppObserver } from '../processes/app-process.js';
import type { Cleanup } from '../processes/cleanup.js';
import type { Serving } from '../serve/kept-processes.js';
import type { Settings } from '../settings.js';
import { watchFiles } from './watched-files.js';

/** Where lines go, what paths are shown from, and what ends the watching. */
export interface ReloadOptions {
  readonly cwd: string;
  readonly log: (line: string) => void;
  readonly cleanup: Cleanup;
  /** Aborts when all is to end. */
  readonly signal: AbortSignal;
}

/**
 * Serves, and reloads when a file changes, one change after the other.
 *
 * @param serve starts to serve, with what hears of gateway and worker
 */
export async function serveAndReload(
  { worker: { version, noWorkerMs } }: Settings,
  { cwd, log, cleanup, signal }: ReloadOptions,
  serve: (observer: AppObserver) => Promise<Serving>,
): Promise<Serving> {
  let serving: Serving | undefined;
  let hasFailed = false;
  let reloading = Promise.resolve();
  const files = watchFiles(
    () => {
      reloading = reloading.then(reload);
    },
    (folder, { message }) => log(`changes in ${relative(cwd, folder) || '.'} are not noticed: ${message}`),
  );
  const reload = async (): Promise<void> => {
    const { digest, changed } = files.look();
    if (serving === undefined || (changed.length === 0 && !hasFailed)) return;
    const names = changed.map((path) => relative(cwd, path)).join(', ');
    const startedAt = performance.now();
    try {
      await serving.reload({ LONGHAUL_VERSION: version ?? `watch-${digest}` });
      hasFailed = false;
      log(`reloaded in ${Math.round(performance.now() - startedAt)} ms: ${names || 'a missing file is there'}`);
    } catch (error) {
      // Work that a stop interrupts is no failure.
      if (signal.aborted) return;
      hasFailed = true;
      log(`not reloaded, the earlier processes keep running: ${error instanceof Error ? error.message : String(error)}`);
    }
    files.countOthers(hasFailed);
  };
  const named = new Set<string>();
  cleanup.add(() => files.close());
  serving = await serve({
    imported: (url) => files.add(fileURLToPath(url)),
    misfit({ taskId, tool, misfit }) {
      const line = `task ${taskId} of ${tool} does not fit the changed code: ${misfit}. Undo the change, or it fails in ${noWorkerMs / 1_000} s`;
      if (named.has(line)) return;
      named.add(line);
      log(line);
    },
  });
  return serving;
}
