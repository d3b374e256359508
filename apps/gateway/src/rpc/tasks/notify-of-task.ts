/**
 * Sends the notifications of a task to its client, on one of its streams. Several streams may see the same
 * change; the task service gives each notification to one of them.
 */
import type { TaskService, TaskView } from '@longhaul/tasks';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import { isLoud } from '../features/log-level.js';
import type { Pushed } from '../method.js';

/** The receiver of notifications. */
export interface Listener {
  /** The lowest level of log messages that the client wants. */
  readonly logLevel: () => Promise<LoggingLevel | undefined>;
  readonly push: (message: Pushed) => void;
  /** Aborts when the receiver has gone. */
  readonly signal: AbortSignal;
}

/**
 * Sends the notifications of a task that no stream has sent before. While the store is unreachable it waits. @throws the reason of the
 * listener's signal
 */
export type NotifyOfTask = (view: TaskView, listener: Listener) => Promise<void>;

export function createNotifyOfTask(tasks: TaskService): NotifyOfTask {
  return async (view, { logLevel, push, signal }) => {
    const { progressToken } = view;
    const { progress, notifications } = await tasks.takeNotifications(view, signal);
    if (progress !== undefined && progressToken !== undefined)
      push({ method: 'notifications/progress', params: { progressToken, ...progress } });
    if (notifications.length === 0) return;
    const level = await tasks.patiently(logLevel, signal);
    for (const { method, params } of notifications)
      if (method !== 'notifications/message' || isLoud(params['level'], level)) push({ method, params });
  };
}

/** The task without the progress token of its plain call, if it has left that: the token is no longer valid. */
export function withoutEndedCall(view: TaskView): TaskView {
  if (view.detachedAt === undefined) return view;
  const { progressToken: _ofCall, ...task } = view;
  return task;
}
