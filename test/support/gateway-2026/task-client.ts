/** Provides the common operations of tests of the tasks extension. */
import { expect } from 'vitest';
import { waitUntil } from '../wait-until.js';
import type { Answer, ModernClient } from './modern-client.js';

/** A task of the extension, as it came. */
export interface WireTask extends Record<string, unknown> {
  readonly taskId: string;
  readonly status: string;
  readonly pollIntervalMs: number;
  readonly inputRequests?: Readonly<Record<string, { readonly method: string; readonly params: Record<string, unknown> }>>;
}

/** Calls a tool that becomes a task. */
export async function startTask(client: ModernClient, name: string, args: object = {}): Promise<WireTask> {
  const { result, error } = await client.tool(name, args);
  expect(error).toBeUndefined();
  expect(result['resultType']).toBe('task');
  return result as WireTask;
}

export async function getTask(client: ModernClient, taskId: string): Promise<WireTask> {
  const { result, error } = await client.call('tasks/get', { taskId });
  expect(error).toBeUndefined();
  return result as WireTask;
}

/** Polls until the task has the status. */
export function untilStatus(client: ModernClient, taskId: string, status: string): Promise<WireTask> {
  return waitUntil(
    async () => {
      const task = await getTask(client, taskId);
      return task.status === status && task;
    },
    { description: `task ${taskId} is ${status}` },
  );
}

export function update(client: ModernClient, taskId: string, inputResponses: unknown): Promise<Answer> {
  return client.call('tasks/update', { taskId, inputResponses });
}

/** The user's consent to a form. */
export function accept(content: Record<string, unknown>): object {
  return { action: 'accept', content };
}
