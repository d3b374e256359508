/**
 * Runs the one loop behind every request that waits for a task: `tasks/result` and a plain call of a durable tool. It holds no state that
 * another gateway would need; when it ends, the task continues. While the store is unreachable it waits: after an error the client would
 * call again, and the work would be done twice.
 */
import type { SessionStore } from '@longhaul/sessions/gateway';
import type { Outcome, TaskService, TaskSnapshot } from '@longhaul/tasks';
import { InputRequestDispatcher, type InputRequestDispatcherDeps } from './input-request-dispatcher.js';
import type { SessionCall } from '../requests/session-call.js';
import type { Listener, NotifyOfTask } from '../../rpc/tasks/notify-of-task.js';
import { relatedTaskOf, withRelatedTask } from '../wire/related-task.js';

/**
 * Waits for the end of a task. Until then it sends each pending input as a request with a durable id, and the task's notifications, unless
 * another stream has sent them.
 *
 * @throws the reason of the request's signal when that aborts
 */
export type FollowTask = (from: TaskSnapshot, call: Pick<SessionCall, 'scope' | 'session'>) => Promise<Outcome>;

/** The parts of the loop. */
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
      { graceMs: 0, isAskedFor: true, client: () => session.client() },
    );
    try {
      for await (const { view, outcome } of tasks.follow(from, signal)) {
        // If the client accepts no stream here, the task's requests and notifications are left to its other streams.
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
