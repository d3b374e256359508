/** Notices that the client of a plain call has given it up, by a message or by closing its connection. */
import type { Requester } from '@longhaul/sessions/gateway';
import type { TaskView } from '@longhaul/tasks';
import type { Call } from '../../rpc/method.js';
import type { PlainCalls } from '../../rpc/plain-calls/plain-calls.js';
import { cancelQuietly } from '../../rpc/tasks/task-of-call.js';
import type { ScopedTasks } from '../../rpc/tasks/scoped-tasks.js';
import type { SessionScope } from './session-call.js';

/** The parts that it needs. */
export interface GivenUpDeps {
  readonly tasks: ScopedTasks;
  readonly plainCalls: Pick<PlainCalls, 'left'>;
}

/** A plain call that has ended without its answer. */
export interface EndedCall {
  readonly scope: SessionScope;
  readonly requester: Requester;
  /** The call, if it began here, and when it did so. */
  readonly call?: Call;
  readonly since?: number;
}

/** Does to the task what its client means. Nothing happens if the request has ended for another reason, such as the end of its session. */
export async function giveUpIfGone(
  { tasks, plainCalls }: GivenUpDeps,
  view: TaskView,
  { scope, requester, call, since }: EndedCall,
): Promise<void> {
  const { isCancelled, cancellation, hasHungUp } = scope;
  const known = { requester, call, since, hasStreamed: true };
  if (cancellation !== undefined) await plainCalls.left.giveUp(view, { ...known, how: 'cancelled', ...cancellation });
  // The client was answered that its call is refused.
  else if (isCancelled) await cancelQuietly(tasks, view);
  // In these protocol versions a closed connection cancels nothing.
  else if (hasHungUp) await plainCalls.left.giveUp(view, { ...known, how: 'closed', isOnlyClosed: true });
}
