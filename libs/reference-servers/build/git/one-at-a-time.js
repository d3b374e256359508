/**
 * Writers of a repository. Those of this process wait for each other in a queue; those of other workers are kept out by git's own
 * locks, `index.lock` and the locks of refs, which every git respects. Git waits for the latter itself, and for the former it is
 * started again here.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { CommandFailure, GitFailure } from './git-failure.js';
/** How long a writer waits for `index.lock`, milliseconds. */
const LOCK_PATIENCE_MS = 10_000;
const LOCKED = /Unable to create '(.*\.lock)': File exists/;
const queues = new Map();
/** Runs what writes into a repository, after everything of this process that was asked before. */
export async function oneAtATime({ commonFolder, signal }, write) {
    const before = queues.get(commonFolder) ?? Promise.resolve();
    const { promise: over, resolve: end } = Promise.withResolvers();
    const queue = before.then(() => over);
    queues.set(commonFolder, queue);
    try {
        await before;
        signal.throwIfAborted();
        return await write();
    }
    finally {
        end();
        if (queues.get(commonFolder) === queue)
            queues.delete(commonFolder);
    }
}
/**
 * Runs a command that takes `index.lock`, again and again while another process has it.
 *
 * @param command which has done nothing when it could not take the lock
 * @throws GitFailure that names the lock when it is not free for `patienceMs`
 */
export async function untilUnlocked({ signal }, command, patienceMs = LOCK_PATIENCE_MS) {
    const deadline = performance.now() + patienceMs;
    for (;;) {
        try {
            return await command();
        }
        catch (error) {
            const [, lock] = (error instanceof CommandFailure ? LOCKED.exec(error.stderr) : undefined) ?? [];
            if (lock === undefined)
                throw error;
            if (performance.now() > deadline)
                throw new GitFailure(`Another process has been writing to this repository for ${patienceMs / 1000} s. If there is none, one has died: remove '${lock}' and try again.`);
        }
        // Writers that wait should not come back at the same moment.
        await wait(20 + Math.random() * 80, undefined, { signal });
    }
}
//# sourceMappingURL=one-at-a-time.js.map