/**
 * Runs the writers of a repository one at a time. Writers in this process wait in a queue. Git's own locks keep out writers of other
 * workers: `index.lock` and the locks of refs, which every git respects. Git itself waits for locks of refs. For `index.lock`, git is
 * started again here.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { CommandFailure, GitFailure } from './git-failure.js';
import type { Repository } from './repository.js';

/** How long a writer waits for `index.lock`, milliseconds. */
const LOCK_PATIENCE_MS = 10_000;

const LOCKED = /Unable to create '(.*\.lock)': File exists/;

const queues = new Map<string, Promise<void>>();

/** Runs what writes into a repository, after everything of this process that was asked before. */
export async function oneAtATime<T>({ commonFolder, signal }: Repository, write: () => Promise<T>): Promise<T> {
  const before = queues.get(commonFolder) ?? Promise.resolve();
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const queue = before.then(() => over);
  queues.set(commonFolder, queue);
  try {
    await before;
    signal.throwIfAborted();
    return await write();
  } finally {
    end();
    if (queues.get(commonFolder) === queue) queues.delete(commonFolder);
  }
}

/**
 * Runs a command that takes `index.lock`, and repeats it while another process has the lock.
 *
 * @param command must have done nothing when it could not take the lock
 * @throws GitFailure that names the lock when it is not free within `patienceMs`
 */
export async function untilUnlocked<T>({ signal }: Repository, command: () => Promise<T>, patienceMs = LOCK_PATIENCE_MS): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await command();
    } catch (error) {
      const [, lock] = (error instanceof CommandFailure ? LOCKED.exec(error.stderr) : undefined) ?? [];
      if (lock === undefined) throw error;
      if (performance.now() > deadline)
        throw new GitFailure(
          `Another process has been writing to this repository for ${patienceMs / 1000} s. If there is none, one has died: remove '${lock}' and try again.`,
        );
    }
    // Writers that wait should not come back at the same moment.
    await wait(20 + Math.random() * 80, undefined, { signal });
  }
}
