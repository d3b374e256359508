/** Tests that a suspect, which is a pass that lost its process, first runs together with others, and then alone. */
import { expect, it } from 'vitest';
import { decide } from './decide.js';
import type { TaskEvent, Trial } from './events.js';
import { fold } from './evolve.js';
import { nextTrial } from './next-trial.js';

const created: TaskEvent = {
  type: 'TaskCreated',
  at: 0,
  data: {
    tool: 't',
    arguments: {},
    owner: 'o',
    client: { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} },
    ttlMs: 1,
    pollIntervalMs: 1,
  },
};
const started = (epoch: number, trial?: Trial): TaskEvent => ({
  type: 'PassStarted',
  at: epoch,
  data: { pass: 1, epoch, workerId: 'w', attempt: 1, ...(trial !== undefined && { trial }) },
});
const claim = (trial: Trial | undefined, ...events: TaskEvent[]) =>
  decide({ type: 'ClaimPass', at: 9, pass: 1, workerId: 'w', ...(trial !== undefined && { trial }) }, fold([created, ...events]))[0];

it('runs together with others first', () => {
  expect(nextTrial(fold([created]))).toBe('together');
  expect(nextTrial(fold([created, started(1)]))).toBe('together');
});

it('runs alone after that, and again when nobody knows how that ended', () => {
  expect(nextTrial(fold([created, started(1), started(2, 'together')]))).toBe('alone');
  expect(nextTrial(fold([created, started(1, 'together'), started(2, 'alone')]))).toBe('alone');
  expect(claim('alone', started(1, 'together'), started(2, 'alone'))).toMatchObject({ type: 'PassStarted', data: { trial: 'alone' } });
});

it('has come no further when a step has run for a while', () => {
  const running: TaskEvent = { type: 'StepStarted', at: 3, data: { key: 'a', attempt: 1, startedAt: 2, startedAfter: 2 } };
  expect(nextTrial(fold([created, started(1), started(2, 'together'), running]))).toBe('alone');
});

it('is failed permanently when it was started alone twice without any trace', () => {
  expect(claim('alone', started(1, 'together'), started(2, 'alone'), started(3, 'alone'))).toMatchObject({
    type: 'TaskFailed',
    data: { error: { code: -32603, message: expect.stringContaining('2 times'), data: { reason: 'WORKER_LOST' } } },
  });
});

it('never is for workers that were lost otherwise', () => {
  const lost = [started(1), started(2), started(3), started(4, 'together'), started(5, 'together'), started(6, 'together')];
  expect(claim('alone', ...lost)).toMatchObject({ type: 'PassStarted' });
});

const further: readonly TaskEvent[] = [
  { type: 'StepCompleted', at: 7, data: { key: 'a' } },
  { type: 'StepFailed', at: 7, data: { key: 'a', error: { name: 'E', message: '' }, attempt: 1, retryAt: 8 } },
  { type: 'ProgressReported', at: 7, data: { progress: 1, seq: 1 } },
  { type: 'StatusReported', at: 7, data: { message: 'm', seq: 1 } },
  { type: 'TimerScheduled', at: 7, data: { key: 't', dueAt: 8 } },
];

it.each(further)('begins anew when the pass has come further: $type', (event) => {
  const state = fold([created, started(1, 'together'), started(2, 'alone'), started(3, 'alone'), event]);
  expect(nextTrial(state)).toBe('together');
});

it('begins anew after a pass that was not on trial, because nobody died', () => {
  expect(nextTrial(fold([created, started(1, 'together'), started(2, 'alone'), started(3)]))).toBe('together');
});

it('goes on counting through an answer of the client, which says nothing of the process', () => {
  const asked: TaskEvent = { type: 'InputRequested', at: 0, data: { key: 'q', method: 'roots/list', params: {} } };
  const answered: TaskEvent = { type: 'InputReceived', at: 5, data: { key: 'q', answer: { response: {} }, via: 'v' } };
  expect(nextTrial(fold([created, asked, started(1, 'together'), answered]))).toBe('alone');
});
