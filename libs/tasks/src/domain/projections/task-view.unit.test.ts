import { expect, it } from 'vitest';
import type { TaskEvent } from '../events.js';
import { fold } from '../evolve.js';
import type { JsonObject } from '../json.js';
import { initialState } from '../state.js';
import type { TaskId } from '../task-id.js';
import { project } from './project.js';
import { MIN_RETENTION_MS, retentionOf } from './task-view.js';

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

const ends = { type: 'TaskCompleted', at: 9, data: { result: {} } } as const;
const leaves = { type: 'TaskDetached', at: 5, data: { because: 'handed-over', afterMs: 4 } } as const;
const viewAfter = (implicit: boolean, ...events: TaskEvent[]) =>
  project(taskId, fold([{ type: 'TaskCreated', at: 1, data: { ...data, ttlMs: 90_000, ...(implicit && { implicit }) } }, ...events])).view;

it('a task that has left its plain call is found, and says when it left', () => {
  expect(viewAfter(true)).toMatchObject({ implicit: true });
  expect(viewAfter(true, leaves)).toMatchObject({ detachedAt: 5 });
  expect(viewAfter(true, leaves)).not.toHaveProperty('implicit');
});

it.each<[string, boolean, TaskEvent[], { fromBeginMs: number; fromEndMs: number } | undefined]>([
  ['not yet, before its end', true, [leaves], undefined],
  ['from its creation, for a task that its client asked for', false, [ends], { fromBeginMs: 90_000, fromEndMs: MIN_RETENTION_MS }],
  ['for a moment, for a task whose plain call has its result', true, [ends], { fromBeginMs: 0, fromEndMs: MIN_RETENTION_MS }],
  ['from its end, for a task that has left its plain call', true, [leaves, ends], { fromBeginMs: 0, fromEndMs: 90_000 }],
])('an ended task is kept %s', (_what, implicit, events, kept) => {
  const retention = retentionOf(viewAfter(implicit, ...events));
  expect(retention && { fromBeginMs: retention.fromBeginMs, fromEndMs: retention.fromEndMs }).toEqual(kept);
});
