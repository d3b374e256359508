import type { TaskId } from '@longhaul/tasks';
import { RELATED_TASK_META_KEY } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { answerOf } from './outcome.js';

const taskId = '7b2c7c52-6a0e-4b55-8f0e-1c7c6f7f0a01' as TaskId;
const relatedTask = { [RELATED_TASK_META_KEY]: { taskId } };

describe('the answer of an ended task', () => {
  it('is its result, which names the task beside the metadata that it has', () => {
    const result = { content: [], _meta: { mine: 1 } };

    expect(answerOf({ kind: 'result', result }, taskId)).toEqual({ content: [], _meta: { mine: 1, ...relatedTask } });
    expect(result._meta).toEqual({ mine: 1 });
  });

  it('is its result as it is, when the task is not given out', () => {
    expect(answerOf({ kind: 'result', result: { content: [] } })).toEqual({ content: [] });
  });

  it('is its error', () => {
    const error = { code: -32001, message: 'no', data: { a: 1 } };

    expect(() => answerOf({ kind: 'error', error }, taskId)).toThrow(expect.objectContaining(error) as Error);
  });

  it.each([
    [undefined, 'Task was cancelled'],
    ['by request', 'Task was cancelled: by request'],
  ])('says that the task was cancelled, for reason %j', (reason, message) => {
    expect(() => answerOf({ kind: 'cancelled', by: 'me', ...(reason !== undefined && { reason }) }, taskId)).toThrow(
      expect.objectContaining({ code: -32602, message }) as Error,
    );
  });
});
