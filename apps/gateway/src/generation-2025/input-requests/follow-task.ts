/**
 * Runs the one loop behind every request that waits for a task: `tasks/result` and a plain call of a durable tool. It holds no state that
 * another gateway would need; when it ends, the task continues. While the store is unreachable it waits: after an error the client would
 * call again, and the work would be done twice.
 */
import type { SessionStore } from '@longhaul/sessions/gateway';
import type { Outcome, TaskService, TaskSnapshot, TaskView } from '@longhaul/tasks';
import { InputRequestDispatcher, type InputRequestDispatcherDeps } from './input-request-dispatcher.js';
import type { BoundRequest, SessionCall } from '../requests/session-call.js';
import { type Listener, type NotifyOfTask, withoutEndedCall } from '../../rpc/tasks/notify-of-task.js';
import type { PlainCalls } from '../../rpc/plain-calls/plain-calls.js';
import { relatedTaskOf, withRelatedTask } from '../wire/related-task.js';

/** How a request waits that is a call of a tool. */
export interface WaitTerms extends BoundRequest {
  /** The task as an earlier answer has shown it, with its questions: it is waited for until it has others. */
  readonly shown?: TaskView | undefined;
  /** The progress token of the request, if that is not the one which the task was created with. */
  readonly progressToken?: TaskView['progressToken'] | undefined;
  /** The value of progress that another gateway has sent last. */
  readonly lastProgress?: number | undefined;
}

/** What a request has waited for: the end of its task, or the task as it was when the request stopped waiting. */
export type Followed = { readonly outcome: Outcome } | { readonly left: TaskView };

/**
 * Waits for the end of a task. Until then it sends each pending input as a request with a durable id, and the task's notifications, unless
 * another stream has sent them. With terms, it stops waiting at that time, and when the task asks what this client cannot be asked.
 *
 * @throws the reason of the request's signal when that aborts
 */
export type FollowTask = (from: TaskSnapshot, call: Pick<SessionCall, 'scope' | 'session'>, terms?: WaitTerms) => Promise<Followed>;

/** The parts of the loop. */
export interface FollowTaskDeps extends InputRequestDispatcherDeps {
  readonly tasks: TaskService;
  readonly notifyOfTask: NotifyOfTask;
  readonly plainCalls: Pick<PlainCalls, 'waitsForOthers' | 'begin'>;
  readonly sessions: SessionStore;
}

export function createFollowTask({ tasks, notifyOfTask, sessions, plainCalls, ...deps }: FollowTaskDeps): FollowTask {
  return async (from, { scope, session }, terms) => {
    const { stream, signal } = scope;
    const push = scope.push.bind(scope);
    const relatedTask = terms === undefined ? relatedTaskOf(from.view) : undefined;
    const { handOverAt, progressToken, lastProgress } = terms ?? {};
    const tooLong = handOverAt === undefined ? undefined : AbortSignal.timeout(Math.max(0, handOverAt - Date.now()));
    const leaving = handOverAt === undefined ? undefined : scope.leaving;
    const early = [tooLong, leaving].filter((each) => each !== undefined);
    const until = early.length === 0 ? signal : AbortSignal.any([signal, ...early]);
    const signs = plainCalls.begin({
      createdAt: from.view.createdAt,
      progressToken: scope.takesMessages ? progressToken : undefined,
      push,
      lastSent: lastProgress,
    });
    const listener: Listener = {
      logLevel: async () => (await sessions.load(session.id))?.logLevel,
      push: ({ method, params }) => signs.push({ method, params: withRelatedTask(params, relatedTask) }),
      signal: until,
    };
    stream.bind(from.view.taskId, terms);
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
    let left = from.view;
    try {
      for await (const { view, outcome } of tasks.follow(from, until)) {
        left = view;
        // If the client accepts no stream here, the task's requests and notifications are left to its other streams.
        if (scope.takesMessages) {
          await tasks.patiently(() => dispatcher.offer(view), until);
          await notifyOfTask({ ...withoutEndedCall(view), ...(progressToken !== undefined && { progressToken }) }, listener);
        }
        // The tool's own report comes first.
        signs.see(view);
        if (outcome !== undefined) return { outcome };
        if (handOverAt !== undefined && plainCalls.waitsForOthers(view, session, terms?.shown)) return { left };
      }
    } catch (error) {
      if (signal.aborted || !(tooLong?.aborted === true || leaving?.aborted === true)) throw error;
      return { left };
    } finally {
      signs.end();
      dispatcher.end();
    }
    throw new RangeError('A task was followed to an end that is none.');
  };
}
