import { describe, expect, it } from 'vitest';
import { answerOf } from './outcome.js';

describe('the answer of an ended task', () => {
  it('is its result', () => {
    expect(answerOf({ kind: 'result', result: { content: [] } })).toEqual({ content: [] });
  });

  it('is its error', () => {
    const error = { code: -32001, message: 'no', data: { a: 1 } };

    expect(() => answerOf({ kind: 'error', error })).toThrow(expect.objectContaining(error) as Error);
  });

  it.each([
    [undefined, 'Task was cancelled'],
    ['by request', 'Task was cancelled: by request'],
  ])('says that the task was cancelled, for reason %j', (reason, message) => {
    expect(() => answerOf({ kind: 'cancelled', by: 'me', ...(reason !== undefined && { reason }) })).toThrow(
      expect.objectContaining({ code: -32602, message }) as Error,
    );
  });
});
