/** Names the state of a task in one or a few words, the same ones on the page and on the command line. */
import type { Task } from './answers.js';

const STATES = {
  input_required: 'Waiting for an answer',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
} as const;

/** A state of a task. One that waits for tasks that it has called is running. */
export type TaskState = (typeof STATES)[keyof typeof STATES] | 'Running' | 'Queued' | 'Scheduled' | 'Waiting for a signal';

/** The state of a task. */
export function stateOf({ status, waiting }: Pick<Task, 'status' | 'waiting'>): TaskState {
  if (status !== 'working') return STATES[status];
  switch (waiting?.for) {
    case 'queue':
    case 'trial':
      return 'Queued';
    case 'timer':
    case 'retry':
      return 'Scheduled';
    case 'signal':
      return 'Waiting for a signal';
    default:
      return 'Running';
  }
}
