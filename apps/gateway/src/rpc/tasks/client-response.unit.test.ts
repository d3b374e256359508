import type { JsonObject } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { inputAnswerOf } from './client-response.js';

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

  it.each<[string, JsonObject, unknown, string]>([
    ['elicitation/create', {}, { action: 'shrug' }, 'action'],
    ['elicitation/create', {}, { task }, 'action'],
    ['elicitation/create', asTask, { task: { taskId: 'theirs' } }, 'task.status'],
    ['sampling/createMessage', asTask, {}, 'model'],
    ['tasks/get', { taskId: 'theirs' }, { taskId: 'theirs', status: 'asleep' }, 'status'],
    ['tasks/result', { taskId: 'theirs' }, 'done', 'result'],
  ])('to %s with %j that is %j is recorded as an error which names the field', (method, params, result, field) => {
    const expected = { code: -32602, message: expect.stringMatching(`The client's answer is invalid: .*${field}: `) as string };
    expect(inputAnswerOf({ method, params }, { result })).toEqual({ error: expected });
  });

  it('may be an error', () => {
    const error = { code: -1, message: 'no', data: { why: 'because' } };
    expect(inputAnswerOf({ method: 'elicitation/create', params: asTask }, { error })).toEqual({ error });
  });

  it('that is an error of no known shape is an error as well', () => {
    expect(inputAnswerOf({ method: 'tasks/get', params: {} }, { error: 'no' })).toMatchObject({ error: { code: -32602 } });
  });
});
