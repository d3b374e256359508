import { expect, it } from 'vitest';
import type { TaskEvent } from '../events.js';
import { fold } from '../evolve.js';
import { nextPass } from '../next-pass.js';
import type { TaskId } from '../task-id.js';
import { project, restore } from './project.js';
import type { TaskView } from './task-view.js';
import { waitingReasonOf } from './waiting-reason.js';

const taskId = '0d9f4c52-6f0e-4a53-9b7c-3b1f5d2a8e11' as TaskId;
const client = { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} } as const;
const data = { tool: 'tool', arguments: {}, owner: 'ada', client, scopes: ['read'], ttlMs: 60_000, pollIntervalMs: 1_000 };
const asked = (key: string): TaskEvent => ({ type: 'InputRequested', at: 3, data: { key, method: 'roots/list', params: {} } });

/** The view of a task that waits for answers, as a later version would write it whose tasks wait for tokens too. */
function laterView(...keys: readonly string[]): TaskView {
  const events: readonly TaskEvent[] = [
    { type: 'TaskCreated', at: 1, data },
    { type: 'PassStarted', at: 2, data: { pass: 1, epoch: 1, workerId: 'w', attempt: 1 } },
    ...keys.map(asked),
    { type: 'PassSuspended', at: 4, data: { pass: 1, waitingFor: keys } },
  ];
  const { view } = project(taskId, fold(events));
  const { wakeAt: _due, ...standing } = view.standing;
  const pendingInputs = view.pendingInputs.map((input) => ({ ...input, shownAs: 'a dialog' }));
  const later = { ...view, tokens: ['gate'], standing: { ...standing, urgency: 'high' }, pendingInputs };
  return later;
}

it('what only a later version knows of a view is in the view that this version makes after an answer', () => {
  const view = laterView('a', 'b');
  expect(project(taskId, restore(view)).view).toEqual(view);
  const answer: TaskEvent = { type: 'InputReceived', at: 5, data: { key: 'a', answer: { response: {} }, via: 'v' } };
  const next = project(taskId, fold([answer], restore(view))).view;
  expect(next).toMatchObject({ tokens: ['gate'], scopes: ['read'], standing: { asks: ['b'], wakeAt: 0, urgency: 'high' } });
  expect(next.pendingInputs).toMatchObject([{ key: 'b', shownAs: 'a dialog' }]);
});

it('a task that waits for nothing that this version knows is neither due nor said to wait for an answer', () => {
  const view = laterView();
  const restored = restore(view);
  expect(nextPass(restored)).toBeUndefined();
  expect(project(taskId, restored).view).toEqual(view);
  expect(waitingReasonOf({ ...view, standing: { ...view.standing, asks: ['gate'] } }, 10)).toBeUndefined();
});

it('a task that was continued as new begins, in a restored state too, when that was', () => {
  const kept = { task: { ...data, maxRunMs: 100 }, createdAt: 1, pass: 1, epoch: 1 };
  const { view } = project(taskId, fold([{ type: 'TaskContinued', at: 50, data: { version: 7, ...kept } }]));
  expect(view).toMatchObject({ version: 7, createdAt: 1, continuedAt: 50 });
  expect(project(taskId, restore(view)).view).toEqual(view);
});
