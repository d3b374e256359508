import { describe, expect, it } from 'vitest';
import { decide } from './decide.js';
import type { TaskCreatedData, TaskEvent } from './events.js';
import { fold } from './evolve.js';
import { nextDeadline } from './next-deadline.js';
import { nextLook } from './next-look.js';
import { initialState } from './state.js';

const task: TaskCreatedData = {
  tool: 'research',
  arguments: {},
  owner: 'ada',
  client: { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} },
  ttlMs: 60_000,
  pollIntervalMs: 1_000,
  maxRunMs: 1_000,
  maxWaitMs: 100,
};
const created = (data: Partial<TaskCreatedData> = {}): TaskEvent => ({ type: 'TaskCreated', at: 0, data: { ...task, ...data } });
const started: TaskEvent = { type: 'PassStarted', at: 1, data: { pass: 1, epoch: 1, workerId: 'w', attempt: 1 } };
const asked: TaskEvent = { type: 'InputRequested', at: 2, data: { key: 'q', method: 'roots/list', params: {} } };
const timer = (dueAt: number): TaskEvent => ({ type: 'TimerScheduled', at: 2, data: { key: 't', dueAt } });
const suspended = (...waitingFor: string[]): TaskEvent => ({ type: 'PassSuspended', at: 50, data: { pass: 1, waitingFor } });
const expireAt = (at: number, ...events: TaskEvent[]) => decide({ type: 'ExpireTask', at }, fold(events));
const without = (...names: ('maxRunMs' | 'maxWaitMs')[]) => {
  const { maxRunMs, maxWaitMs, ...rest } = task;
  const data = { ...rest, ...(!names.includes('maxRunMs') && { maxRunMs }), ...(!names.includes('maxWaitMs') && { maxWaitMs }) };
  return { type: 'TaskCreated', at: 0, data } as TaskEvent;
};

describe('the deadlines of a task', () => {
  it('are none before it exists, without limits, and after its end', () => {
    expect(nextDeadline(initialState)).toBeUndefined();
    expect(nextDeadline(fold([without('maxRunMs', 'maxWaitMs'), started, asked, suspended('q')]))).toBeUndefined();
    expect(nextDeadline(fold([created(), { type: 'TaskCancelled', at: 1, data: { by: 'ada' } }]))).toBeUndefined();
  });

  it('count the run from the creation, and a wait for the client from its suspension', () => {
    expect(nextDeadline(fold([created(), started]))).toMatchObject({ at: 1_000, reason: 'MAX_RUN' });
    expect(nextDeadline(fold([created(), started, asked, suspended('q')]))).toMatchObject({ at: 150, reason: 'MAX_WAIT' });
    expect(nextDeadline(fold([created({ maxRunMs: 120 }), started, asked, suspended('q')]))).toMatchObject({ at: 120, reason: 'MAX_RUN' });
    expect(nextDeadline(fold([without('maxRunMs'), started, asked, suspended('q')]))).toMatchObject({ at: 150, reason: 'MAX_WAIT' });
  });

  it('do not count a timer as a wait for the client', () => {
    expect(nextDeadline(fold([created(), started, timer(900), suspended('t')]))).toMatchObject({ reason: 'MAX_RUN' });
  });

  it('fail the task when they have passed, with the limit in the message', () => {
    expect(expireAt(149, created(), started, asked, suspended('q'))).toEqual([]);
    expect(expireAt(150, created(), started, asked, suspended('q'))).toMatchObject([
      {
        type: 'TaskFailed',
        data: { error: { code: -32603, message: expect.stringContaining('100 ms (maxWaitMs)') as string, data: { reason: 'MAX_WAIT' } } },
      },
    ]);
    expect(expireAt(1_000, created(), started)).toMatchObject([
      { data: { error: { message: expect.stringContaining('1000 ms (maxRunMs)') as string, data: { reason: 'MAX_RUN' } } } },
    ]);
    expect(expireAt(9_999, without('maxRunMs', 'maxWaitMs'), started)).toEqual([]);
  });
});

describe('the next look at a task', () => {
  const patience = { dueMs: 5_000, runningMs: 10_000 };
  const look = (now: number, ...events: TaskEvent[]) => nextLook(fold(events), now, patience);
  const patient = without('maxRunMs', 'maxWaitMs');
  const retryAt = (at: number): TaskEvent => ({
    type: 'PassFailed',
    at: 3,
    data: { pass: 1, error: { name: 'E', message: '' }, attempt: 1, retryAt: at },
  });

  it('is never due before the task exists and after its end', () => {
    expect(nextLook(initialState, 0, patience)).toBe(Infinity);
    expect(look(0, created(), { type: 'TaskCancelled', at: 1, data: { by: 'ada' } })).toBe(Infinity);
  });

  it('is due some seconds after a pass is, now or at a time', () => {
    expect(look(0, patient)).toBe(5_000);
    expect(look(50, patient, started, timer(9_050), suspended('t'))).toBe(9_000 + 5_000);
    expect(look(9_050, patient, started, timer(9_050), suspended('t'))).toBe(5_000);
    expect(look(3, patient, started, retryAt(2_003))).toBe(2_000 + 5_000);
  });

  it('is due after a period while a pass runs', () => {
    expect(look(1, patient, started)).toBe(10_000);
  });

  it('is due at a deadline, which it never misses', () => {
    expect(look(50, created(), started, asked, suspended('q'))).toBe(100);
    expect(look(50, created(), started, timer(5_000), suspended('t'))).toBe(950);
    expect(look(600, created(), started)).toBe(400);
    expect(look(2_000, created(), started)).toBe(0);
  });

  it('is due within an hour even if the task waits for its client or a later time', () => {
    expect(look(50, patient, started, asked, suspended('q'))).toBe(3_600_000);
    expect(look(50, patient, started, timer(86_400_000), suspended('t'))).toBe(3_600_000);
    expect(look(50, created({ maxWaitMs: 7_200_000, maxRunMs: 7_200_000 }), started, asked, suspended('q'))).toBe(3_600_000);
  });
});

describe('notifications', () => {
  it('are sent once, and again only by a new attempt', () => {
    const state = fold([created(), started, { type: 'NotificationSent', at: 2, data: { method: 'm', params: {}, seq: 2 } }]);
    expect(state).toMatchObject({ notificationSeq: 2, notifiedAt: 3 });
    const send = (seq: number) => decide({ type: 'SendNotification', at: 3, epoch: 1, method: 'm', params: {}, seq }, state);
    expect(send(1)).toEqual([]);
    // Of a step, which reports after the function's second one.
    expect(send(2)).toMatchObject([{ type: 'NotificationSent', data: { seq: 2 } }]);
  });
});
