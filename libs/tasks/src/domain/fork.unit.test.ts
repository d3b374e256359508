import { describe, expect, it } from 'vitest';
import { decide, decideAll } from './decide.js';
import type { ForkOrigin, TaskCreatedData, TaskEvent, TaskEventOf, TaskEventType } from './events.js';
import { fold } from './evolve.js';
import { type Fork, type ForkChoice, forkOf, operationKeys } from './fork.js';
import { nextPass } from './next-pass.js';
import { project } from './projections/project.js';
import { initialState } from './state.js';
import type { TaskId } from './task-id.js';

const ORIGIN = '0d9f4c52-6f0e-4a53-9b7c-3b1f5d2a8e11';
const FORK = '1d9f4c52-6f0e-4a53-9b7c-3b1f5d2a8e22' as TaskId;
const task: TaskCreatedData = {
  tool: 'research',
  arguments: { topic: 'tides' },
  owner: 'ada',
  accounts: ['ada', 'address:1'],
  sessionId: 'session',
  client: { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} },
  ttlMs: 60_000,
  pollIntervalMs: 1_000,
  maxRunMs: 500,
};

/** Events a millisecond apart; the first of them has version 1. */
function history(...events: { [T in TaskEventType]: readonly [T, TaskEventOf<T>['data']] }[TaskEventType][]): TaskEvent[] {
  return events.map(([type, data], index) => ({ type, at: index + 1, data }) as TaskEvent);
}

const started = (pass: number, attempt = 1) => ['PassStarted', { pass, epoch: pass, workerId: 'w', attempt, version: `v${pass}` }] as const;
const suspended = (pass: number, ...waitingFor: string[]) => ['PassSuspended', { pass, waitingFor }] as const;
const done = (key: string, startedAfter?: number) =>
  ['StepCompleted', { key, value: `of ${key}`, ...(startedAfter !== undefined && { startedAt: 1, startedAfter }) }] as const;
const failed = (key: string, startedAfter: number, retryAt?: number) =>
  [
    'StepFailed',
    { key, error: { name: 'Error', message: 'no' }, attempt: 1, startedAt: 1, startedAfter, ...(retryAt !== undefined && { retryAt }) },
  ] as const;
const asked = (key: string) => ['InputRequested', { key, method: 'roots/list', params: {} }] as const;
const answered = (key: string) => ['InputReceived', { key, answer: { response: {} }, via: 'test' }] as const;
const created = ['TaskCreated', task] as const;
const ended = ['TaskFailed', { error: { code: 1, message: 'no' } }] as const;

const inTurn = history(created, started(1), done('a', 2), done('b', 3), done('c', 4), ended);

function fork(events: readonly TaskEvent[], choice: ForkChoice = {}): Fork {
  const made = forkOf(ORIGIN, events, choice);
  if (made === undefined) throw new Error('There is no such operation.');
  return made;
}

function copied(events: readonly TaskEvent[], choice: ForkChoice): string[] {
  return fork(events, choice).recorded.map(({ type, data }) => ('key' in data ? `${type} ${data.key}` : type));
}

const stateOf = ({ task: of, recorded }: Fork) => decideAll([{ type: 'CreateTask', at: 1_000, task: of, recorded }], initialState).state;

describe('a fork of the whole', () => {
  it('begins with nothing of the record, and with all that the origin was created with', () => {
    const { task: forked, recorded } = fork(inTurn);
    expect(recorded).toEqual([]);
    expect(forked).toEqual({ ...task, forkedFrom: { taskId: ORIGIN, version: 1, firstTaskId: ORIGIN, stepKeysOf: ORIGIN } });
  });

  it('stands for no call: it is listed, has no key of the caller, and is in no trace of his', () => {
    const call = { ...task, implicit: true, idempotencyKey: 'key', trace: '00-1-1-01', progressToken: 'token' };
    const { task: forked } = fork(history(['TaskCreated', call]));
    expect(forked).not.toHaveProperty('implicit');
    expect(forked).not.toHaveProperty('idempotencyKey');
    expect(forked).not.toHaveProperty('trace');
    expect(forked.progressToken).toBe('token');
    expect(project(FORK, stateOf(fork(history(['TaskCreated', call])))).view).not.toHaveProperty('progressToken');
  });

  it('takes other arguments, and then idempotency keys of its own', () => {
    const { task: forked } = fork(inTurn, { arguments: { topic: 'moons' } });
    expect(forked.arguments).toEqual({ topic: 'moons' });
    expect(forked.forkedFrom).toEqual({ taskId: ORIGIN, version: 1, firstTaskId: ORIGIN });
  });

  it('of an unchanged fork has the keys of the first one, and of one with other arguments its keys', () => {
    const of = (origin: Partial<ForkOrigin>) =>
      fork(history(['TaskCreated', { ...task, forkedFrom: { taskId: 'x', version: 1, firstTaskId: 'first', ...origin } }])).task.forkedFrom;
    expect(of({ stepKeysOf: 'first' })).toMatchObject({ taskId: ORIGIN, firstTaskId: 'first', stepKeysOf: 'first' });
    expect(of({})).toMatchObject({ taskId: ORIGIN, firstTaskId: 'first', stepKeysOf: ORIGIN });
  });
});

describe('a fork of a task that was continued as new', () => {
  it('has the idempotency keys of the run that it is made from', () => {
    const continued = ['TaskContinued', { version: 7, task, createdAt: 1, pass: 2, epoch: 2 }] as const;
    expect(fork(history(continued)).task.forkedFrom).toMatchObject({ stepKeysOf: `${ORIGIN}.6` });
  });
});

describe('a fork from a step', () => {
  it('has what was recorded before the step was started, with its times', () => {
    const { recorded, task: forked } = fork(inTurn, { step: 'c' });
    expect(recorded.map(({ at, data }) => [at, 'key' in data && data.key])).toEqual([
      [3, 'a'],
      [4, 'b'],
    ]);
    expect(forked.forkedFrom).toMatchObject({ version: 4, recordedBy: ['v1'] });
  });

  it('leaves out what was settled while the step ran', () => {
    const besides = history(created, started(1), done('a', 2), done('beside', 3), done('slow', 3), ended);
    expect(copied(besides, { step: 'slow' })).toEqual(['StepCompleted a']);
  });

  it('counts the first try of the step, also of one that nothing is known of but that it began', () => {
    const tried = history(
      created,
      started(1),
      ['StepStarted', { key: 'slow', attempt: 1, startedAt: 1, startedAfter: 2 }],
      done('beside', 2),
      started(2),
      failed('slow', 5, 9),
      done('slow', 6),
    );
    expect(copied(tried, { step: 'slow' })).toEqual([]);
  });

  it('goes up to the first record of the step where its start is not known', () => {
    const old = history(created, started(1), done('a'), done('beside'), done('slow'));
    expect(copied(old, { step: 'slow' })).toEqual(['StepCompleted a', 'StepCompleted beside']);
  });

  it('leaves out what was asked for and not settled, so that a timer counts anew', () => {
    const waits = history(
      created,
      started(1),
      asked('$elicit'),
      ['TimerScheduled', { key: 'nap', dueAt: 50 }],
      ['TimerScheduled', { key: 'patience', dueAt: 90 }],
      failed('try', 2, 70),
      suspended(1, '$elicit', 'nap'),
      answered('$elicit'),
      ['TimerFired', { key: 'nap' }],
      started(2),
      done('last', 10),
    );
    expect(copied(waits, { step: 'last' })).toEqual([
      'InputRequested $elicit',
      'TimerScheduled nap',
      'InputReceived $elicit',
      'TimerFired nap',
    ]);
    const state = stateOf(fork(waits, { step: 'last' }));
    expect([...state.operations].map(([key]) => key)).toEqual(['$elicit', 'nap']);
    expect(state.pendingInputs.size).toBe(0);
  });

  it('may begin with a question or a timer', () => {
    const waits = history(created, started(1), done('a', 2), asked('$elicit'), suspended(1, '$elicit'), answered('$elicit'));
    expect(copied(waits, { step: '$elicit' })).toEqual(['StepCompleted a']);
  });

  it('is in the attempt in which the step was first asked for, where the failures of the ones before count no more', () => {
    const retried = history(
      created,
      started(1),
      done('a', 2),
      failed('b', 3),
      ['PassFailed', { pass: 1, error: { name: 'Error', message: 'no' }, attempt: 1, retryAt: 20 }],
      started(2, 2),
      done('b', 6),
      done('c', 7),
    );
    expect(copied(retried, { step: 'c' })).toEqual(['StepCompleted a', 'StepFailed b', 'PassFailed', 'StepCompleted b']);
    const state = stateOf(fork(retried, { step: 'c' }));
    expect(state).toMatchObject({ attempt: 2, attemptSince: 4, passNumber: 0, epoch: 0 });
    expect([...state.operations].map(([key, { status }]) => [key, status])).toEqual([
      ['a', 'completed'],
      ['b', 'completed'],
    ]);
    expect(copied(retried, { step: 'b' })).toEqual(['StepCompleted a']);
  });

  it('can be forked again from any step: what it has of the first origin has the versions of the fork', () => {
    const { task: forked, recorded } = fork(inTurn, { step: 'c' });
    const again = [...decide({ type: 'CreateTask', at: 50, task: forked, recorded }, initialState), ...history(started(1), done('c', 4))];
    expect(copied(again, { step: 'c' })).toEqual(['StepCompleted a', 'StepCompleted b']);
    expect(copied(again, { step: 'b' })).toEqual(['StepCompleted a']);
    expect(copied(again, { step: 'a' })).toEqual([]);
    expect(fork(again, { step: 'c' }).task.forkedFrom?.recordedBy).toEqual(['v1']);
  });

  it('takes nothing of what came before the task was continued as new', () => {
    const before = [...inTurn.slice(0, 3), ...history(['StatusReported', { message: 'm', seq: 1 }])];
    const state = fold(before);
    const continued = decide({ type: 'ContinueAsNew', at: 9, epoch: 1, arguments: { page: 2 } }, state);
    const events = [...before, ...continued, ...history(started(2), done('x', 6), done('y', 7))];
    expect(copied(events, { step: 'y' })).toEqual(['StepCompleted x']);
    expect(fork(events, { step: 'y' }).task).toMatchObject({ arguments: { page: 2 }, forkedFrom: { version: 7 } });
    expect(forkOf(ORIGIN, events, { step: 'a' })).toBeUndefined();
    expect(operationKeys(events)).toEqual(['x', 'y']);
  });

  it('that nobody has asked for does not exist', () => {
    expect(forkOf(ORIGIN, inTurn, { step: 'd' })).toBeUndefined();
    expect(forkOf(ORIGIN, [], {})).toBeUndefined();
    expect(operationKeys(inTurn)).toEqual(['a', 'b', 'c']);
  });
});

describe('a task that is a fork', () => {
  const reports = history(
    created,
    started(1),
    ['StatusReported', { message: 'half', seq: 1 }],
    ['ProgressReported', { progress: 5, seq: 1 }],
    ['ValueExposed', { value: 5, seq: 1 }],
    ['NotificationSent', { method: 'notifications/message', params: {}, seq: 1 }],
    done('a', 6),
    done('b', 7),
  );
  const state = stateOf(fork(reports, { step: 'b' }));

  it('is due at once, and has its deadlines anew', () => {
    expect(nextPass(state)).toEqual({ pass: 1, dueAt: 0 });
    expect(state).toMatchObject({ createdAt: 1_000, runStartedAt: 1_000, updatedAt: 1_000 });
  });

  it('has the reports of its origin, and the client none of its notifications twice', () => {
    expect(state).toMatchObject({ statusMessage: 'half', statusSeq: 1, progress: { progress: 5 }, notificationSeq: 1, notifiedAt: 0 });
    expect(state).toMatchObject({ exposed: { value: 5 }, exposedSeq: 1 });
  });

  it('was recorded by the versions of the origin', () => {
    expect([...state.recordedBy]).toEqual(['v1']);
  });

  it('begins a pass, an epoch and trials of its own', () => {
    const claimed = decide({ type: 'ClaimPass', at: 1_001, pass: 1, workerId: 'w' }, state);
    expect(claimed).toMatchObject([{ type: 'PassStarted', data: { pass: 1, epoch: 1, attempt: 1 } }]);
  });
});
