/**
 * The one loop behind every request that waits for a task: `tasks/result` and a plain call of a
 * durable tool. It holds nothing that another gateway would need; when it ends, the task goes on.
 * While the store is away it waits for that: an error would have the client call again, and the work done twice.
 */
import type { SessionStore } from '@longhaul/sessions/gateway';
import type { Outcome, TaskService, TaskSnapshot } from '@longhaul/tasks';
import { InputRequestDispatcher, type InputRequestDispatcherDeps } from './input-request-dispatcher.js';
import type { SessionCall } from '../requests/session-call.js';
import type { Listener, NotifyOfTask } from '../../rpc/tasks/notify-of-task.js';
import { relatedTaskOf, withRelatedTask } from '../wire/related-task.js';

/**
 * Waits for the end of a task. Meanwhile it sends each pending input that no other stream has sent, as a
 * request with a durable id, and the notifications of the task that no other stream has sent.
 *
 * @throws the reason of the request's signal when that aborts
 */
export type FollowTask = (from: TaskSnapshot, call: Pick<SessionCall, 'scope' | 'session'>) => Promise<Outcome>;

/** What following needs. */
export interface FollowTaskDeps extends InputRequestDispatcherDeps {
  readonly tasks: TaskService;
  readonly notifyOfTask: NotifyOfTask;
  readonly sessions: SessionStore;
}

export function createFollowTask({ tasks, notifyOfTask, sessions, ...deps }: FollowTaskDeps): FollowTask {
  return async (from, { scope, session }) => {
    const { stream, signal } = scope;
    const push = scope.push.bind(scope);
    const relatedTask = relatedTaskOf(from.view);
    const listener: Listener = {
      logLevel: async () => (await sessions.load(session.id))?.logLevel,
      push: ({ method, params }) => push({ method, params: withRelatedTask(params, relatedTask) }),
      signal,
    };
    stream.bind(from.view.taskId);
    const dispatcher = new InputRequestDispatcher(
      deps,
      {
        push,
        hasSent: (id) => stream.hasSent(id),
        get holder() {
          return stream.holder;
        },
      },
      { graceMs: 0, isAskedFor: true },
    );
    try {
      for await (const { view, outcome } of tasks.follow(from, signal)) {
        // Where the client takes no stream here, what the task asks and says is left to its other streams.
        if (scope.takesMessages) {
          await tasks.patiently(() => dispatcher.offer(view), signal);
          await notifyOfTask(view, listener);
        }
        if (outcome !== undefined) return outcome;
      }
    } finally {
      dispatcher.end();
    }
    throw new RangeError('A task was followed to an end that is none.');
  };
}
