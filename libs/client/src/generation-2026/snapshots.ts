import type { TaskView } from '@modelcontextprotocol/ext-tasks/client';
import { TaskStatusNotificationV2Schema } from '@modelcontextprotocol/ext-tasks/core/v2';
import { exposedIn, type TaskSnapshot } from '../following/task-snapshot.js';

/** Converts the view of the extension's package into the words that both protocol versions share. */
export function snapshotOfView(view: TaskView): TaskSnapshot {
  const { taskId, status, statusMessage, createdAt = '', lastUpdatedAt = '', retentionMs, suggestedPollIntervalMs, raw } = view;
  return {
    taskId,
    status,
    createdAt,
    lastUpdatedAt,
    ttlMs: retentionMs,
    ...(statusMessage !== undefined && { statusMessage }),
    ...(suggestedPollIntervalMs !== undefined && { pollIntervalMs: suggestedPollIntervalMs }),
    ...exposedIn(raw['_meta']),
    ...contentOf(raw),
  };
}

/** The task in a `notifications/tasks`, if it is one. */
export function snapshotOfNotification(notification: unknown): TaskSnapshot | undefined {
  const parsed = TaskStatusNotificationV2Schema.safeParse(notification);
  if (!parsed.success) return undefined;
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs, ...content } = parsed.data.params;
  return {
    taskId,
    status,
    createdAt,
    lastUpdatedAt,
    ttlMs,
    ...(statusMessage !== undefined && { statusMessage }),
    ...(pollIntervalMs !== undefined && { pollIntervalMs }),
    ...contentOf(content),
  };
}

/** The schemas of the extension have checked these values. */
function contentOf({
  inputRequests,
  result,
  error,
}: Readonly<Record<string, unknown>>): Pick<TaskSnapshot, 'inputRequests' | 'result' | 'error'> {
  return {
    ...(inputRequests !== undefined && { inputRequests: inputRequests as NonNullable<TaskSnapshot['inputRequests']> }),
    ...(result !== undefined && { result }),
    ...(error !== undefined && { error: error as NonNullable<TaskSnapshot['error']> }),
  };
}
