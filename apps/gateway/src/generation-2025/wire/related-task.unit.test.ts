import type { TaskId } from '@longhaul/tasks';
import { RELATED_TASK_META_KEY } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { withRelatedTask } from './related-task.js';

const taskId = '7b2c7c52-6a0e-4b55-8f0e-1c7c6f7f0a01' as TaskId;

it('names the task of a result beside the metadata that it has', () => {
  const result = { content: [], _meta: { mine: 1 } };
  expect(withRelatedTask(result, taskId)).toEqual({ content: [], _meta: { mine: 1, [RELATED_TASK_META_KEY]: { taskId } } });
  expect(result._meta).toEqual({ mine: 1 });
});

it('adds nothing of a task that is not given out', () => {
  expect(withRelatedTask({ content: [] }, undefined)).toEqual({ content: [] });
});
