import { nextPass } from '../domain/next-pass.js';
import type { TaskState } from '../domain/state.js';
import type { JobDelivery, JobVerdict } from '../queue/task-queue.js';

/** What becomes of a delivery whose pass is not to be run now; nothing when it is. */
export function verdictOn(
  { job, redelivered, givenBack }: Pick<JobDelivery, 'job' | 'redelivered' | 'givenBack'>,
  state: TaskState,
  now: number,
): JobVerdict | undefined {
  const isLost = redelivered || givenBack?.lostEpoch === state.epoch;
  if (state.pass.phase === 'running') return isLost && state.passNumber === job.pass ? undefined : {};
  const next = nextPass(state);
  if (next?.pass !== job.pass) return {};
  return next.dueAt > now ? { againAt: next.dueAt } : undefined;
}
