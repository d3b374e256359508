import { expect, it } from 'vitest';
import { fold } from '../evolve.js';
import type { JsonObject } from '../json.js';
import { initialState } from '../state.js';
import type { TaskId } from '../task-id.js';
import { project } from './project.js';

const taskId = '0d9f4c52-6f0e-4a53-9b7c-3b1f5d2a8e11' as TaskId;
const client = { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} } as const;
const data = { tool: 'tool', arguments: {}, owner: 'ada', client, ttlMs: 60_000, pollIntervalMs: 1_000 };

const endingOf = (result: JsonObject) =>
  project(
    taskId,
    fold([
      { type: 'TaskCreated', at: 1, data },
      { type: 'TaskCompleted', at: 2, data: { result } },
    ]),
  ).view.ending;

it.each<[string, JsonObject, object]>([
  ['a result', { content: [{ type: 'text', text: 'done' }] }, { isError: false }],
  [
    'an error result, whose first text it has',
    { isError: true, content: [{ type: 'text', text: 'no' }] },
    { isError: true, message: 'no' },
  ],
  [
    'an error result with a long text, which is cut off',
    { isError: true, content: [{ type: 'text', text: 'x'.repeat(600) }] },
    { isError: true, message: 'x'.repeat(500) },
  ],
  ['an error result that begins with something else', { isError: true, content: [{ type: 'image', data: '' }] }, { isError: true }],
  ['an error result without content', { isError: true }, { isError: true }],
])('a view says how its task ended: with %s', (_what, result, ending) => {
  expect(endingOf(result)).toEqual({ kind: 'result', ...ending });
});

it('a task without events has no view', () => {
  expect(() => project(taskId, initialState)).toThrow(new RangeError('A task without events has no view.'));
});
