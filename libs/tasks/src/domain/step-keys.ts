import type { ForkOrigin } from './events.js';

/**
 * Makes the beginning of the idempotency keys of a task's steps. Two calls of one step are the same to other systems only in one run: a
 * workflow that was continued as new comes to the same steps again, and means new ones.
 *
 * @param runSince version before the first event of the run, 0 for the first one
 */
export function stepKeysOf(taskId: string, forkedFrom: ForkOrigin | undefined, runSince: number): string {
  const first = forkedFrom?.stepKeysOf ?? taskId;
  return runSince === 0 ? first : `${first}.${runSince}`;
}
