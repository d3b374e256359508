import { mayStart, nextPass } from '../domain/next-pass.js';
import type { TaskState } from '../domain/state.js';
import type { JobDelivery, JobVerdict } from '../ports/task-queue.js';

type Delivered = Pick<JobDelivery, 'job' | 'redelivered' | 'recovered' | 'givenBack'>;

/** The verdict on a delivery if its pass must not run now; nothing if it must run. */
export function verdictOn(delivery: Delivered, state: TaskState, now: number): JobVerdict | undefined {
  const { job, givenBack } = delivery;
  const mayClaimAnew = mayTakeOver(delivery) || givenBack?.lostEpoch === state.epoch;
  if (state.pass.phase === 'running') return mayClaimAnew && state.passNumber === job.pass ? undefined : {};
  const next = nextPass(state);
  if (next?.pass !== job.pass) return {};
  return mayStart(next, now) ? undefined : { againAt: next.dueAt };
}

/** Whether the delivery may take over a pass that is recorded as running: its worker or its job was lost. */
export function mayTakeOver({ redelivered, recovered = false }: Pick<JobDelivery, 'redelivered' | 'recovered'>): boolean {
  return redelivered || recovered;
}
