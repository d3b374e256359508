import type { JsonObject } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { answerOrError, inputAnswerOf } from './client-response.js';

const form = { requestedSchema: { type: 'object', properties: { age: { type: 'integer' }, mail: { type: 'string' } } } };
const asTask = { task: { ttl: 1_000 } };
const task = { taskId: 'theirs', status: 'working', ttl: null, createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z' };
const message = { model: 'm', role: 'assistant', content: { type: 'text', text: 'hi' } };

describe("a client's answer", () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['elicitation/create', {}, { action: 'accept', content: { name: 'Ada' } }],
    ['elicitation/create', asTask, { action: 'decline' }],
    ['elicitation/create', asTask, { task }],
    ['sampling/createMessage', {}, message],
    ['sampling/createMessage', { tools: [] }, { ...message, content: [message.content] }],
    ['sampling/createMessage', asTask, message],
    ['sampling/createMessage', asTask, { task }],
    ['roots/list', {}, { roots: [{ uri: 'file:///a' }] }],
    ['tasks/get', { taskId: 'theirs' }, task],
    ['tasks/result', { taskId: 'theirs' }, { _meta: {}, action: 'cancel' }],
  ])('to %s with %j may be %j', (method, params, result) => {
    expect(inputAnswerOf({ method, params }, { result })).toEqual({ response: result });
  });

  const wrong: readonly [string, JsonObject, unknown, string][] = [
    ['elicitation/create', {}, { action: 'shrug' }, 'action'],
    ['elicitation/create', {}, { task }, 'action'],
    ['elicitation/create', asTask, { task: { taskId: 'theirs' } }, 'task.status'],
    ['elicitation/create', form, { action: 'accept', content: { age: 'old' } }, 'age'],
    ['elicitation/create', {}, 'done', 'action'],
    ['sampling/createMessage', asTask, {}, 'model'],
    ['tasks/get', { taskId: 'theirs' }, { taskId: 'theirs', status: 'asleep' }, 'status'],
    ['tasks/result', { taskId: 'theirs' }, 'done', 'result'],
  ];

  it.each(wrong)('to %s with %j that is %j is refused with a sentence that names the field', (method, params, result, field) => {
    const refusal = expect.objectContaining({ code: 'ANSWER_DOES_NOT_FIT', message: expect.stringContaining(field) as string });
    expect(() => inputAnswerOf({ method, params }, { result })).toThrow(refusal);
  });

  it.each(wrong)(
    'to %s with %j that is %j, and cannot be refused, is an error unless a person may answer again',
    (method, params, result) => {
      const asked = { method, params };
      if (method === 'elicitation/create')
        expect(() => answerOrError(asked, { result })).toThrow(expect.objectContaining({ code: 'ANSWER_DOES_NOT_FIT' }));
      else expect(answerOrError(asked, { result })).toMatchObject({ error: { code: -32602 } });
    },
  );

  it('is recorded as what it means', () => {
    const answer = inputAnswerOf(
      { method: 'elicitation/create', params: form },
      { result: { action: 'accept', content: { age: '5', mail: null } } },
    );
    expect(answer).toEqual({ response: { action: 'accept', content: { age: 5 } } });
  });

  it('may be an error', () => {
    const error = { code: -1, message: 'no', data: { why: 'because' } };
    expect(inputAnswerOf({ method: 'elicitation/create', params: asTask }, { error })).toEqual({ error });
  });

  it('that is an error of no known shape is an error as well', () => {
    expect(answerOrError({ method: 'tasks/get', params: {} }, { error: 'no' })).toMatchObject({ error: { code: -32602 } });
  });
});
