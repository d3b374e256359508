/**
 * Releases the jobs of a dead worker in all queues. On a cluster each queue may have a master of its own, and one that is away
 * must not keep the jobs of the others: a queue that does not answer in time is left out, and its locks expire by themselves.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { isAway } from '@longhaul/redis';
import type { JobLocks } from './job-locks.js';

/** How long a queue is waited for. Commands for a master that is away wait for it without limit. */
const ANSWER_MS = 2_000;

/** A queue whose jobs have locks. */
export interface LockedQueue {
  readonly locks: Pick<JobLocks, 'heldBy' | 'release'>;
  /** Has the jobs of released locks delivered anew. */
  deliverReleased(): Promise<void>;
}

/** Of whom the jobs are released. */
export interface ReleaseOptions {
  readonly queues: readonly LockedQueue[];
  readonly lockToken: string;
  /** Asked when it is known which jobs those are, unless no queue has answered. */
  readonly isDead: () => Promise<boolean>;
  /** @defaultValue 2 s */
  readonly answerMs?: number;
}

/** @returns how many jobs there were; nothing when the worker is not dead, or no queue has answered */
export async function releaseJobs({ queues, lockToken, isDead, answerMs = ANSWER_MS }: ReleaseOptions): Promise<number | undefined> {
  const list = async (queue: LockedQueue) => ({ queue, locks: await queue.locks.heldBy(lockToken) });
  const held = await inTime(queues.map(list), answerMs);
  if (held.length === 0 || !(await isDead())) return undefined;
  const released = held.map(async ({ queue, locks }) => {
    const count = await queue.locks.release(locks);
    if (count > 0) await queue.deliverReleased();
    return count;
  });
  return (await inTime(released, answerMs)).reduce((sum, count) => sum + count, 0);
}

/** The answers that come within the time, without those of masters that are away. */
async function inTime<Answer>(answers: readonly Promise<Answer>[], ms: number): Promise<Answer[]> {
  const late = wait(ms, [], { ref: false });
  const known = answers.map(async (answer): Promise<Answer[]> => {
    try {
      return [await answer];
    } catch (error) {
      if (isAway(error)) return [];
      throw error;
    }
  });
  return (await Promise.all(known.map((answer) => Promise.race([answer, late])))).flat();
}
