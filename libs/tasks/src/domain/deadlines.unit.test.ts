import { describe, expect, it } from 'vitest';
import { alarmOf } from './alarm.js';
import { decide } from './decide.js';
import type { TaskCreatedData, TaskEvent } from './events.js';
import { fold } from './evolve.js';
import { nextDeadline } from './next-deadline.js';
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

describe('the alarm of a resting task', () => {
  it('is set for its deadline when nothing else wakes it before', () => {
    expect(alarmOf(fold([created(), started, asked, suspended('q')]))).toEqual({ pass: 2, dueAt: 150 });
    expect(alarmOf(fold([created(), started, timer(5_000), suspended('t')]))).toEqual({ pass: 2, dueAt: 1_000 });
    const failed: TaskEvent = {
      type: 'PassFailed',
      at: 3,
      data: { pass: 1, error: { name: 'E', message: '' }, attempt: 1, retryAt: 2_000 },
    };
    expect(alarmOf(fold([created(), started, failed]))).toEqual({ pass: 2, dueAt: 1_000 });
  });

  it('is not needed while it runs, before its first pass, when the next pass comes earlier, or without deadline', () => {
    expect(alarmOf(fold([created()]))).toBeUndefined();
    expect(alarmOf(fold([created(), started]))).toBeUndefined();
    expect(alarmOf(fold([created(), started, timer(500), suspended('t')]))).toBeUndefined();
    expect(alarmOf(fold([without('maxRunMs', 'maxWaitMs'), started, asked, suspended('q')]))).toBeUndefined();
  });
});

describe('notifications', () => {
  it('are sent once, and again only by a new attempt', () => {
    const state = fold([created(), started, { type: 'NotificationSent', at: 2, data: { method: 'm', params: {}, seq: 1 } }]);
    expect(state).toMatchObject({ notificationSeq: 1, notifiedAt: 3 });
    const send = (seq: number) => decide({ type: 'SendNotification', at: 3, epoch: 1, method: 'm', params: {}, seq }, state);
    expect(send(1)).toEqual([]);
    expect(send(2)).toMatchObject([{ type: 'NotificationSent', data: { seq: 2 } }]);
  });
});
