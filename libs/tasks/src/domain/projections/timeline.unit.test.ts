import { describe, expect, it } from 'vitest';
import type { TaskEvent, TaskEventOf, TaskEventType } from '../events.js';
import { timelineOf } from './timeline.js';

const client = { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} } as const;
const task = { tool: 'tool', arguments: {}, owner: 'ada', client, ttlMs: 60_000, pollIntervalMs: 1_000 };
const error = { name: 'Error', message: 'no' };

type EventOf = { [T in TaskEventType]: readonly [at: number, type: T, data: TaskEventOf<T>['data']] }[TaskEventType];

function timelineFrom(...events: EventOf[]) {
  return timelineOf(events.map(([at, type, data]) => ({ at, type, data }) as TaskEvent));
}

const created: EventOf = [100, 'TaskCreated', task];
const begun = (at: number, epoch = 1, pass = 1, attempt = 1): EventOf => [
  at,
  'PassStarted',
  { pass, epoch, workerId: `w${epoch}`, attempt, version: '1.0' },
];
const suspended = (at: number, ...waitingFor: string[]): EventOf => [at, 'PassSuspended', { pass: 1, waitingFor }];
const done = (at: number, key: string, startedAt?: number): EventOf => [
  at,
  'StepCompleted',
  { key, ...(startedAt !== undefined && { startedAt, startedAfter: 2 }) },
];
const failed = (at: number, key: string, attempt: number, startedAt: number, retryAt?: number): EventOf => [
  at,
  'StepFailed',
  { key, error, attempt, startedAt, startedAfter: 2, ...(retryAt !== undefined && { retryAt }) },
];
const runs = (at: number, key: string, attempt: number, startedAt: number): EventOf => [
  at,
  'StepStarted',
  { key, attempt, startedAt, startedAfter: 2 },
];
const completed = (at: number): EventOf => [at, 'TaskCompleted', { result: {} }];

describe('the passes of a timeline', () => {
  it.each<[string, EventOf]>([
    ['completed', completed(150)],
    ['failed', [150, 'TaskFailed', { error: { code: 1, message: 'no' } }]],
    ['cancelled', [150, 'TaskCancelled', { by: 'ada' }]],
    ['suspended', suspended(150, 'nap')],
    ['released', suspended(150)],
    ['continued', [150, 'TaskContinued', { version: 3, task, createdAt: 100, pass: 1, epoch: 1 }]],
  ])('end as %s', (ending, last) => {
    expect(timelineFrom(created, begun(110), last).passes).toEqual([
      { version: 2, pass: 1, epoch: 1, workerId: 'w1', deployment: '1.0', attempt: 1, startedAt: 110, endedAt: 150, ending },
    ]);
  });

  it('are lost when another worker takes them over, and have no end while they run', () => {
    const { passes } = timelineFrom(created, begun(110), [
      160,
      'PassStarted',
      { pass: 1, epoch: 2, workerId: 'w2', attempt: 1, trial: 'together' },
    ]);
    expect(passes).toMatchObject([
      { epoch: 1, endedAt: 160, ending: 'lost' },
      { epoch: 2, workerId: 'w2', trial: 'together', startedAt: 160 },
    ]);
    expect(passes[1]).not.toHaveProperty('endedAt');
  });

  it('have what the workflow failed with when it is tried again', () => {
    const fails: EventOf = [150, 'PassFailed', { pass: 1, error, attempt: 1, retryAt: 200 }];
    expect(timelineFrom(created, begun(110), fails, begun(205, 2, 2, 2)).passes).toMatchObject([
      { ending: 'retrying', error, endedAt: 150 },
      { pass: 2, attempt: 2, startedAt: 205 },
    ]);
  });

  it('are not ended by what happens while none runs', () => {
    expect(timelineFrom(created, begun(110), suspended(120, 'nap'), [150, 'TaskCancelled', { by: 'ada' }]).passes).toMatchObject([
      { endedAt: 120 },
    ]);
  });

  it('of a continued task have the versions of its present stream', () => {
    const continued: EventOf = [100, 'TaskContinued', { version: 40, task, createdAt: 1, pass: 7, epoch: 7 }];
    expect(timelineFrom(continued, begun(110, 8, 8)).passes).toMatchObject([{ version: 41, pass: 8 }]);
  });
});

describe('the operations of a timeline', () => {
  it('are steps with each of their tries', () => {
    const { operations } = timelineFrom(
      created,
      begun(110),
      failed(130, 'load:2', 1, 120, 200),
      runs(300, 'load:2', 2, 210),
      done(400, 'load:2', 210),
    );
    expect(operations).toEqual([
      {
        key: 'load:2',
        name: 'load',
        kind: 'step',
        status: 'completed',
        version: 3,
        settledVersion: 5,
        startedAt: 120,
        settledAt: 400,
        tries: [
          { attempt: 1, startedAt: 120, endedAt: 130, error, retryAt: 200 },
          { attempt: 2, startedAt: 210, endedAt: 400 },
        ],
      },
    ]);
  });

  it('show what runs, and since when', () => {
    expect(timelineFrom(created, begun(110), runs(1_200, 'slow', 1, 120)).operations).toMatchObject([
      { status: 'running', startedAt: 120, tries: [{ attempt: 1, startedAt: 120 }] },
    ]);
  });

  it('show what waits to be tried again, and what was given up', () => {
    expect(timelineFrom(created, begun(110), failed(130, 'a', 1, 120, 200), failed(131, 'b', 2, 120)).operations).toMatchObject([
      { key: 'a', status: 'retrying' },
      { key: 'b', status: 'failed', settledAt: 131, tries: [{ attempt: 2, error }] },
    ]);
  });

  it('have tries that were lost with their worker', () => {
    const { operations } = timelineFrom(created, begun(110), runs(1_200, 'slow', 1, 120), begun(2_000, 2), done(2_100, 'slow', 2_001));
    expect(operations).toMatchObject([
      {
        status: 'completed',
        startedAt: 120,
        tries: [
          { attempt: 1, startedAt: 120, isLost: true },
          { attempt: 1, startedAt: 2_001, endedAt: 2_100 },
        ],
      },
    ]);
  });

  it('know no start where none was recorded', () => {
    expect(timelineFrom(created, begun(110), done(130, 'old')).operations).toMatchObject([
      { settledAt: 130, tries: [{ attempt: 1, endedAt: 130 }] },
    ]);
    expect(timelineFrom(created, begun(110), done(130, 'old')).operations[0]).not.toHaveProperty('startedAt');
  });

  it('are questions and timers, from when they were recorded to their answer and their end', () => {
    const { operations } = timelineFrom(
      created,
      begun(110),
      [120, 'InputRequested', { key: '$elicit', method: 'elicitation/create', params: {} }],
      [120, 'InputRequested', { key: '$roots', method: 'roots/list', params: {} }],
      [120, 'TimerScheduled', { key: 'nap', dueAt: 220 }],
      [120, 'TimerScheduled', { key: 'rest', dueAt: 900 }],
      [150, 'InputReceived', { key: '$elicit', answer: { response: {} }, via: 'w' }],
      [151, 'InputReceived', { key: '$roots', answer: { error: { code: 1, message: 'no' } }, via: 'w' }],
      [221, 'TimerFired', { key: 'nap' }],
    );
    expect(operations).toMatchObject([
      { key: '$elicit', kind: 'question', method: 'elicitation/create', status: 'completed', startedAt: 120, settledAt: 150 },
      { key: '$roots', kind: 'question', status: 'failed', settledAt: 151 },
      { key: 'nap', kind: 'timer', dueAt: 220, status: 'completed', settledAt: 221 },
      { key: 'rest', kind: 'timer', status: 'waiting' },
    ]);
  });

  it('that a failed attempt leaves failed are others in the next one', () => {
    const fails: EventOf = [150, 'PassFailed', { pass: 1, error, attempt: 1, retryAt: 200 }];
    const { operations } = timelineFrom(
      created,
      begun(110),
      done(115, 'kept', 111),
      failed(130, 'a', 1, 120),
      fails,
      begun(205, 2, 2, 2),
      done(210, 'a', 206),
    );
    expect(operations.map(({ key, status }) => [key, status])).toEqual([
      ['kept', 'completed'],
      ['a', 'failed'],
      ['a', 'completed'],
    ]);
  });

  it('are interrupted by the end of the task', () => {
    const { operations } = timelineFrom(created, begun(110), runs(1_200, 'slow', 1, 120), done(1_300, 'a', 120), [
      1_400,
      'TaskCancelled',
      { by: 'ada' },
    ]);
    expect(operations.map(({ key, status }) => [key, status])).toEqual([
      ['slow', 'interrupted'],
      ['a', 'completed'],
    ]);
  });

  it('of a fork are marked where they were copied', () => {
    const { operations, passes } = timelineFrom(created, done(50, 'a', 40), begun(110), done(120, 'b', 115));
    expect(operations).toMatchObject([{ key: 'a', isCopied: true, startedAt: 40 }, { key: 'b' }]);
    expect(operations[1]).not.toHaveProperty('isCopied');
    expect(passes).toHaveLength(1);
  });
});

describe('the waits of a timeline', () => {
  const nap: EventOf = [120, 'TimerScheduled', { key: 'nap', dueAt: 220 }];
  const question: EventOf = [120, 'InputRequested', { key: '$elicit', method: 'elicitation/create', params: {} }];
  const answer: EventOf = [150, 'InputReceived', { key: '$elicit', answer: { response: {} }, via: 'w' }];
  const queue = (startedAt: number, endedAt?: number) => ({
    reason: 'queue',
    keys: [],
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
  });

  it('begin in the queue', () => {
    expect(timelineFrom(created).waits).toEqual([queue(100)]);
    expect(timelineFrom(created, begun(110)).waits).toEqual([queue(100, 110)]);
  });

  it('are for an answer, and then for a worker', () => {
    const waiting = timelineFrom(created, begun(110), nap, question, suspended(121, '$elicit', 'nap'));
    expect(waiting.waits).toEqual([queue(100, 110), { reason: 'question', keys: ['$elicit', 'nap'], startedAt: 121 }]);
    const { waits } = timelineFrom(created, begun(110), question, suspended(121, '$elicit'), answer, begun(160, 2, 2));
    expect(waits.slice(1)).toEqual([{ reason: 'question', keys: ['$elicit'], startedAt: 121, endedAt: 150 }, queue(150, 160)]);
  });

  it('are for a timer until it is due, and then for a worker', () => {
    const { waits } = timelineFrom(created, begun(110), nap, suspended(121, 'nap'), [230, 'TimerFired', { key: 'nap' }], begun(230, 2, 2));
    expect(waits.slice(1)).toEqual([{ reason: 'timer', keys: ['nap'], startedAt: 121, endedAt: 220 }, queue(220, 230)]);
  });

  it('are for the next try of a step, or of the workflow', () => {
    const steps = timelineFrom(created, begun(110), failed(120, 'a', 1, 111, 300), suspended(121, 'a'), begun(300, 2, 2));
    expect(steps.waits.slice(1)).toEqual([{ reason: 'retry', keys: ['a'], startedAt: 121, endedAt: 300 }]);
    const whole = timelineFrom(created, begun(110), [120, 'PassFailed', { pass: 1, error, attempt: 1, retryAt: 300 }], begun(301, 2, 2, 2));
    expect(whole.waits.slice(1)).toEqual([{ reason: 'retry', keys: [], startedAt: 120, endedAt: 300 }, queue(300, 301)]);
  });

  it('are for a worker where there is nothing to wait for', () => {
    expect(timelineFrom(created, begun(110), suspended(121), begun(130, 2, 2)).waits.slice(1)).toEqual([queue(121, 130)]);
    expect(timelineFrom(created, begun(110), question, answer, suspended(151, '$elicit')).waits.slice(1)).toEqual([queue(151)]);
  });

  it('end with the task, and count no answer that nobody waited for', () => {
    const { waits } = timelineFrom(created, begun(110), nap, question, suspended(121, 'nap'), answer, [
      200,
      'TaskCancelled',
      { by: 'ada' },
    ]);
    expect(waits.slice(1)).toEqual([{ reason: 'timer', keys: ['nap'], startedAt: 121, endedAt: 200 }]);
  });

  it('of a fork are not those of its origin', () => {
    const failed: EventOf = [50, 'PassFailed', { pass: 1, error, attempt: 1, retryAt: 60 }];
    expect(timelineFrom(created, failed, begun(110)).waits).toEqual([queue(100, 110)]);
  });
});

it('a call lasted until its task left it', () => {
  const data = { because: 'abandoned', how: 'cancelled', reason: 'timed out', client: 'app 1', continuedBy: 'reason' } as const;
  expect(timelineFrom(created, begun(110), [160, 'TaskDetached', { ...data, afterMs: 60 }]).call).toEqual({
    version: 3,
    startedAt: 100,
    endedAt: 160,
    ...data,
  });
  expect(timelineFrom(created, begun(110))).not.toHaveProperty('call');
});
