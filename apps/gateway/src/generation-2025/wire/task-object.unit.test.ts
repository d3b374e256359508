import type { TaskId, TaskView } from '@longhaul/tasks';
import { TaskSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { taskObject } from './task-object.js';

const view: TaskView = {
  taskId: '7b2c7c52-6a0e-4b55-8f0e-1c7c6f7f0a01' as TaskId,
  version: 3,
  tool: 'research',
  owner: 'session:1',
  generation: '2025-11-25',
  createdAt: Date.UTC(2026, 0, 1),
  updatedAt: Date.UTC(2026, 0, 1, 0, 0, 1),
  ttlMs: 60_000,
  pollIntervalMs: 500,
  statusMessage: 'Gathering…',
  pendingInputs: [],
  standing: { pass: 1, epoch: 1, phase: 'idle' },
};
const ended = { ...view, endedAt: view.updatedAt };
const question = { key: 'input', method: 'elicitation/create', params: {}, askedAt: 0 };

describe('the Task object', () => {
  it('is what the specification says', () => {
    expect(TaskSchema.parse(taskObject(view))).toEqual({
      taskId: view.taskId,
      status: 'working',
      statusMessage: 'Gathering…',
      createdAt: '2026-01-01T00:00:00.000Z',
      lastUpdatedAt: '2026-01-01T00:00:01.000Z',
      ttl: 60_000,
      pollInterval: 500,
    });
  });

  it.each<[string, TaskView, object]>([
    ['waits for an answer', { ...view, pendingInputs: [question] }, { status: 'input_required', statusMessage: 'Gathering…' }],
    [
      'ended with an error',
      { ...ended, ending: { kind: 'error', isError: true, message: 'no disk' } },
      { status: 'failed', statusMessage: 'no disk' },
    ],
    [
      'ended with a result that is an error',
      { ...ended, ending: { kind: 'result', isError: true } },
      { status: 'failed', statusMessage: expect.stringContaining('tasks/result') as string },
    ],
    [
      'was cancelled',
      { ...ended, ending: { kind: 'cancelled', isError: false, message: 'by request' } },
      { status: 'cancelled', statusMessage: 'by request' },
    ],
    [
      'was cancelled for no reason',
      { ...ended, ending: { kind: 'cancelled', isError: false } },
      { status: 'cancelled', statusMessage: 'The task was cancelled.' },
    ],
  ])('of a task that %s says so', (_title, task, expected) => {
    expect(taskObject(task)).toMatchObject(expected);
  });

  it('of a completed task has no message about the work that is over', () => {
    expect(taskObject({ ...ended, ending: { kind: 'result', isError: false } })).not.toHaveProperty('statusMessage');
  });
});
