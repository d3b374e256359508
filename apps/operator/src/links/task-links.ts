/** Links from a task to its trace and its log lines, by the templates of the settings. */
import { hashOf } from '@longhaul/runtime';
import type { TaskView } from '@longhaul/tasks';
import { traceOfTask } from '@longhaul/tasks/telemetry';
import { filledTemplate, type Placeholder } from './link-settings.js';

type LinkedTask = Pick<TaskView, 'taskId' | 'trace' | 'traceState' | 'createdAt' | 'endedAt'>;

/** Lines are written a moment later than what they are about, by processes whose clocks differ. */
const MARGIN_MS = 60_000;
/** Links of a task that has not ended change once in this time: live lists send a row again that has changed. */
const STABLE_MS = 3_600_000;

/** The trace that the task belongs to; there are spans of it only where traces are on. */
export function traceIdOf(task: LinkedTask): string {
  return traceOfTask(task.taskId, task).traceId;
}

/** @param template absent if the settings have none @param now epoch milliseconds */
export function linkOf(template: string | undefined, task: LinkedTask, now: number): string | undefined {
  if (template === undefined) return undefined;
  const values: Readonly<Record<Placeholder, () => string>> = {
    traceId: () => traceIdOf(task),
    taskId: () => task.taskId,
    taskHash: () => hashOf(task.taskId),
    from: () => String(task.createdAt - MARGIN_MS),
    to: () => String((task.endedAt ?? Math.ceil(now / STABLE_MS) * STABLE_MS) + MARGIN_MS),
  };
  return filledTemplate(template, (name) => values[name]());
}
