import { expect, it } from 'vitest';
import type { TaskEvent } from '../events.js';
import { fold } from '../evolve.js';
import type { TaskId } from '../task-id.js';
import { rowOf } from './task-row.js';
import { project } from './project.js';

const taskId = '0d9f4c52-6f0e-4a53-9b7c-3b1f5d2a8e11' as TaskId;
const client = { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} } as const;
const data = { tool: 'report', arguments: {}, owner: 'ada', client, ttlMs: 90_000, pollIntervalMs: 1_000 };
const created: TaskEvent = { type: 'TaskCreated', at: 1_000, data };
const started: TaskEvent = { type: 'PassStarted', at: 2_000, data: { pass: 1, epoch: 1, workerId: 'w', attempt: 1, version: '1.2.0' } };
const asked: TaskEvent = { type: 'InputRequested', at: 3_000, data: { key: 'q', method: 'elicitation/create', params: {} } };
const answered: TaskEvent = { type: 'InputReceived', at: 4_000, data: { key: 'q', answer: { response: {} }, via: 'gateway' } };
const failedWith = (error: { code: number; message: string; data?: { reason: string } }): TaskEvent => {
  return { type: 'TaskFailed', at: 5_000, data: { error } };
};

const viewOf = (...events: TaskEvent[]) => project(taskId, fold([created, ...events])).view;
const rowAfter = (...events: TaskEvent[]) => rowOf(viewOf(...events));

it('says what a new task is', () =>
  expect(rowAfter()).toEqual({ taskId, viewVersion: 1, createdAt: 1_000, status: 'working', tool: 'report', owner: 'ada' }));

it('has the keys by which the task is found, if there are any', () => {
  const rowWith = (searchKeys: readonly string[]) => rowOf(project(taskId, fold([{ ...created, data: { ...data, searchKeys } }])).view);
  expect(rowWith(['key'])).toMatchObject({ searchKeys: ['key'] });
  expect(rowWith([])).not.toHaveProperty('searchKeys');
});

it('says which version of the deployment began the latest pass, also after the pass', () => {
  const suspended: TaskEvent = { type: 'PassSuspended', at: 3_000, data: { pass: 1, waitingFor: ['q'] } };
  expect(rowAfter(started, asked, suspended)).toMatchObject({ viewVersion: 4, status: 'input_required', version: '1.2.0' });
  const unnamed: TaskEvent = { type: 'PassStarted', at: 5_000, data: { pass: 2, epoch: 2, workerId: 'w', attempt: 1 } };
  expect(rowAfter(started, asked, suspended, answered, unnamed)).not.toHaveProperty('version');
});

it('waits for its client as long as a question is unanswered', () => {
  expect(rowAfter(started, asked)).toMatchObject({ status: 'input_required' });
  expect(rowAfter(started, asked, answered)).toMatchObject({ status: 'working' });
});

it('is completed by a result, and failed by an error result', () => {
  expect(rowAfter({ type: 'TaskCompleted', at: 5_000, data: { result: {} } })).toMatchObject({ status: 'completed', endedAt: 5_000 });
  const failed = rowAfter({ type: 'TaskCompleted', at: 5_000, data: { result: { isError: true } } });
  expect(failed).toMatchObject({ status: 'failed', reason: 'TOOL_ERROR' });
});

it('has no reason unless it failed', () =>
  expect(rowAfter({ type: 'TaskCancelled', at: 5_000, data: { reason: 'NO_NEED', by: 'ada' } })).toEqual({
    ...rowAfter(),
    viewVersion: 2,
    status: 'cancelled',
    endedAt: 5_000,
    goneAt: 91_000,
  }));

it.each([
  ['the reason of the engine', { code: -32_603, message: 'm', data: { reason: 'WORKER_LOST' } }, 'WORKER_LOST'],
  ['the code of an error without one', { code: -32_002, message: 'm' }, '-32002'],
  ['the code of an error whose reason is a text', { code: 7, message: 'm', data: { reason: 'Ada had no money' } }, '7'],
])('names %s', (_, error, reason) => expect(rowAfter(failedWith(error))).toMatchObject({ status: 'failed', reason }));

it('says when the task is gone: after its time to live, or a minute after its end, or when operators need it no more', () => {
  const cancelled = (at: number) => viewOf({ type: 'TaskCancelled', at, data: { by: 'ada' } });
  expect(rowOf(cancelled(5_000)).goneAt).toBe(91_000);
  expect(rowOf(cancelled(80_000)).goneAt).toBe(140_000);
  expect(rowOf({ ...cancelled(5_000), keptMs: 10_000 }).goneAt).toBe(91_000);
  expect(rowOf({ ...cancelled(5_000), keptMs: 1_000_000 }).goneAt).toBe(1_005_000);
});
