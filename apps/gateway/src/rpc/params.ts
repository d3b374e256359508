import { describeIssues, parseUntrusted } from '@longhaul/mcp-features';
import { isTaskId, TaskError, type TaskId } from '@longhaul/tasks';
import type { z } from 'zod';
import { invalidParams } from './errors.js';

/** The params of a request in the shape that the schema gives them. @throws ProtocolError -32602 that names each wrong field */
export function parseParams<T>(schema: z.ZodType<T>, params: unknown): T {
  const parsed = parseUntrusted(schema, params ?? {});
  if (!parsed.success) throw invalidParams(`Invalid params: ${describeIssues(parsed.error, 'params')}`);
  return parsed.data;
}

/**
 * The id of the task in the params.
 *
 * @throws ProtocolError -32602 when there is none
 * @throws TaskError `TASK_NOT_FOUND` for a text that cannot be the id of a task
 */
export function taskIdOf(params: Readonly<Record<string, unknown>> | undefined): TaskId {
  const taskId = params?.['taskId'];
  if (typeof taskId !== 'string') throw invalidParams('Invalid params: taskId: expected string');
  if (!isTaskId(taskId)) throw new TaskError('TASK_NOT_FOUND');
  return taskId;
}
