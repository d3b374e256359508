import type { TaskId, TaskView } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { taskDetails, taskHead } from './task-details.js';

const view: TaskView = {
  taskId: 'd9a61a2c-5b07-4d3f-8d1c-3c5f2a3e1b11' as TaskId,
  version: 3,
  tool: 'tool',
  owner: 'ada',
  generation: '2026-07-28',
  createdAt: 1_000,
  updatedAt: 2_000,
  ttlMs: 60_000,
  pollIntervalMs: 1_000,
  pendingInputs: [],
  standing: { pass: 1, epoch: 1, phase: 'idle' },
};

const READER = { capabilities: { elicitation: { form: {}, url: {} } }, now: 0 };

const form = { mode: 'form', message: 'You?', requestedSchema: { type: 'object', properties: {} } };

describe('the poll interval of a task', () => {
  it.each([
    [0, 500],
    [4_999, 500],
    [5_000, 1_000],
    [59_999, 1_000],
    [60_000, 5_000],
    [3_600_000, 5_000],
  ])('of an age of %d ms is %d ms', (age, pollIntervalMs) => {
    expect(taskHead(view, view.createdAt + age).pollIntervalMs).toBe(pollIntervalMs);
  });

  it("is never longer for a young task than the tool's own", () => {
    expect(taskHead({ ...view, pollIntervalMs: 100 }, view.createdAt).pollIntervalMs).toBe(100);
  });
});

describe('a task that waits for its client', () => {
  it('shows a URL elicitation without the id that this revision has not', () => {
    const params = { mode: 'url', url: 'https://example.com/', message: 'Open it?', elicitationId: 'e-1' };
    const asked = taskDetails(
      { ...view, pendingInputs: [{ key: '$elicit', method: 'elicitation/create', params, askedAt: 0 }] },
      undefined,
      READER,
    );

    expect(asked.inputRequests).toEqual({
      $elicit: { method: 'elicitation/create', params: { mode: 'url', url: 'https://example.com/', message: 'Open it?' } },
    });
  });

  it('shows the polls of a task of the client to nobody: to this revision it works', () => {
    const poll = { key: '$client-get', method: 'tasks/get', params: { taskId: 'theirs' }, askedAt: 0 };
    expect(taskDetails({ ...view, pendingInputs: [poll] }, undefined, READER)).toEqual({ ...taskHead(view, 0), status: 'working' });

    const question = { key: '$elicit', method: 'elicitation/create', params: { ...form, task: { ttl: 1 } }, askedAt: 0 };
    expect(taskDetails({ ...view, pendingInputs: [poll, question] }, undefined, READER)).toMatchObject({
      status: 'input_required',
      inputRequests: { $elicit: { method: 'elicitation/create', params: form } },
    });
  });
});

describe('a request that reads a task', () => {
  const pendingInputs = [
    { key: '$elicit', method: 'elicitation/create', params: form },
    { key: '$elicit:2', method: 'elicitation/create', params: { mode: 'url', url: 'https://example.com/', message: 'Open it?' } },
    { key: '$sample', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
    { key: '$sample:2', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1, tools: [] } },
    { key: '$roots', method: 'roots/list', params: {} },
  ].map((input) => ({ ...input, askedAt: 0 }));

  it.each([
    [{}, []],
    [{ elicitation: {} }, ['$elicit']],
    [{ elicitation: { url: {} }, roots: {} }, ['$elicit:2', '$roots']],
    [{ sampling: {} }, ['$sample']],
    [{ sampling: { tools: {} } }, ['$sample', '$sample:2']],
  ])('and declares %j is shown what it can be asked: %j', (capabilities, keys) => {
    const { status, inputRequests = {} } = taskDetails({ ...view, pendingInputs }, undefined, { capabilities, now: 0 });
    expect([status, Object.keys(inputRequests)]).toEqual(['input_required', keys]);
  });
});

describe('a task that has ended', () => {
  it('does not say what it said while it worked', () => {
    const ended: TaskView = { ...view, statusMessage: 'half way', endedAt: 3_000, ending: { kind: 'result', isError: false } };

    expect(taskDetails(ended, { kind: 'result', result: { content: [] } }, READER)).toMatchObject({
      status: 'completed',
      result: { content: [], resultType: 'complete' },
    });
    expect(taskHead(ended, 0)).not.toHaveProperty('statusMessage');
  });
});
