import type { TaskState } from './state.js';

/** When the task fails if nothing happens before, and what it says then. */
export interface Deadline {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly reason: 'MAX_RUN' | 'MAX_WAIT';
  readonly message: string;
}

/** The earliest deadline of the task in its present state, if it has one. */
export function nextDeadline(state: TaskState): Deadline | undefined {
  if (state.task === undefined || state.outcome !== undefined) return undefined;
  const { maxRunMs, maxWaitMs } = state.task;
  const run: Deadline | undefined =
    maxRunMs === undefined
      ? undefined
      : {
          at: state.runStartedAt + maxRunMs,
          reason: 'MAX_RUN',
          message: `The task failed: it did not end within ${maxRunMs} ms (maxRunMs).`,
        };
  const since = waitsForClientSince(state);
  if (maxWaitMs === undefined || since === undefined) return run;
  const message = `The task failed: its client did not answer within ${maxWaitMs} ms (maxWaitMs).`;
  const wait: Deadline = { at: since + maxWaitMs, reason: 'MAX_WAIT', message };
  return run !== undefined && run.at <= wait.at ? run : wait;
}

function waitsForClientSince({ pass, operations }: TaskState): number | undefined {
  if (pass.phase !== 'suspended') return undefined;
  return pass.waitingFor.some((key) => operations.get(key)?.status === 'pending') ? pass.since : undefined;
}
