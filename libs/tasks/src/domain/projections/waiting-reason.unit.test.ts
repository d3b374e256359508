import { expect, it } from 'vitest';
import type { TaskEvent } from '../events.js';
import { fold } from '../evolve.js';
import type { TaskId } from '../task-id.js';
import { project } from './project.js';
import { waitingReasonOf } from './waiting-reason.js';

const taskId = '0d9f4c52-6f0e-4a53-9b7c-3b1f5d2a8e11' as TaskId;
const client = { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} } as const;
const data = { tool: 'tool', arguments: {}, owner: 'ada', client, ttlMs: 60_000, pollIntervalMs: 1_000 };
const created: TaskEvent = { type: 'TaskCreated', at: 1, data };
const started: TaskEvent = { type: 'PassStarted', at: 2, data: { pass: 1, epoch: 1, workerId: 'w', attempt: 1, version: '1.2.3' } };
const asked: TaskEvent = { type: 'InputRequested', at: 3, data: { key: 'q', method: 'elicitation/create', params: {} } };
const called: TaskEvent = { type: 'ChildStarted', at: 3, data: { key: 'c', taskId, tool: 'other', bond: 'bound' } };
const timer: TaskEvent = { type: 'TimerScheduled', at: 3, data: { key: 't', dueAt: 100 } };
const suspended = (...waitingFor: string[]): TaskEvent => ({ type: 'PassSuspended', at: 4, data: { pass: 1, waitingFor } });

it.each<[string, TaskEvent[], object | undefined]>([
  ['a worker that takes it', [created], { for: 'queue', since: 1 }],
  ['the worker that runs it', [created, started], { for: 'worker', workerId: 'w', since: 2, version: '1.2.3' }],
  ['an answer', [created, started, asked, suspended('q')], { for: 'question', keys: ['q'], since: 4 }],
  ['an answer or a time', [created, started, asked, timer, suspended('q', 't')], { for: 'question', keys: ['q'], since: 4, until: 100 }],
  [
    'a task that it has called',
    [created, started, called, { type: 'ChildCreated', at: 3, data: { key: 'c' } }, suspended('c')],
    { for: 'child', keys: ['c'], since: 4 },
  ],
  ['a timer', [created, started, timer, suspended('t')], { for: 'timer', until: 100, since: 4 }],
  [
    'its next attempt',
    [created, started, { type: 'PassFailed', at: 5, data: { pass: 1, error: { name: 'Error', message: 'no' }, attempt: 1, retryAt: 90 } }],
    { for: 'retry', until: 90, attempt: 2 },
  ],
  ['nothing, once it has ended', [created, { type: 'TaskCancelled', at: 5, data: { by: 'ada' } }], undefined],
])('a task waits for %s', (_what, events, reason) => {
  expect(waitingReasonOf(project(taskId, fold(events)).view, 50)).toEqual(reason);
});

it('a task waits for a trial when its worker says so, whatever its record says', () => {
  const { view } = project(taskId, fold([created, started]));
  expect(waitingReasonOf(view, 50, 9)).toEqual({ for: 'trial', since: 9 });
});

it('a task whose timer is due waits for a worker', () => {
  const { view } = project(taskId, fold([created, started, timer, suspended('t')]));
  expect(waitingReasonOf(view, 150)).toEqual({ for: 'queue', since: 100 });
});
