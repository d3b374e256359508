/**
 * Tells a client what is new about its tasks on one of its streams. Several streams may see the same
 * change; the task service gives each piece of news to one of them.
 */
import type { TaskService, TaskView } from '@longhaul/tasks';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import { isLoud } from '../features/log-level.js';
import type { Pushed } from '../method.js';

/** Where the news goes. */
export interface Listener {
  /** The least level of log messages that the client wants. */
  readonly logLevel: () => Promise<LoggingLevel | undefined>;
  readonly push: (message: Pushed) => void;
  /** Aborts when there is nobody to tell any more. */
  readonly signal: AbortSignal;
}

/** Sends the news of a task that nobody has sent before. While the store is away it waits. @throws the reason of the listener's signal */
export type TellNews = (view: TaskView, listener: Listener) => Promise<void>;

export function createTellNews(tasks: TaskService): TellNews {
  return async (view, { logLevel, push, signal }) => {
    const { progressToken } = view;
    const { progress, notifications } = await tasks.takeNews(view, signal);
    if (progress !== undefined && progressToken !== undefined)
      push({ method: 'notifications/progress', params: { progressToken, ...progress } });
    if (notifications.length === 0) return;
    const level = await tasks.patiently(logLevel, signal);
    for (const { method, params } of notifications)
      if (method !== 'notifications/message' || isLoud(params['level'], level)) push({ method, params });
  };
}
