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
    const asked = taskDetails({ ...view, pendingInputs: [{ key: '$elicit', method: 'elicitation/create', params }] }, undefined, 0);

    expect(asked.inputRequests).toEqual({
      $elicit: { method: 'elicitation/create', params: { mode: 'url', url: 'https://example.com/', message: 'Open it?' } },
    });
  });

  it('shows the polls of a task of the client to nobody: to this revision it works', () => {
    const poll = { key: '$client-get', method: 'tasks/get', params: { taskId: 'theirs' } };
    expect(taskDetails({ ...view, pendingInputs: [poll] }, undefined, 0)).toEqual({ ...taskHead(view, 0), status: 'working' });

    const question = { key: '$elicit', method: 'elicitation/create', params: { ...form, task: { ttl: 1 } } };
    expect(taskDetails({ ...view, pendingInputs: [poll, question] }, undefined, 0)).toMatchObject({
      status: 'input_required',
      inputRequests: { $elicit: { method: 'elicitation/create', params: form } },
    });
  });
});

describe('a task that has ended', () => {
  it('does not say what it said while it worked', () => {
    const ended: TaskView = { ...view, statusMessage: 'half way', endedAt: 3_000, ending: { kind: 'result', isError: false } };

    expect(taskDetails(ended, { kind: 'result', result: { content: [] } }, 0)).toMatchObject({
      status: 'completed',
      result: { content: [], resultType: 'complete' },
    });
    expect(taskHead(ended, 0)).not.toHaveProperty('statusMessage');
  });
});
