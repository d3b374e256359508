import { wholeMs } from './milliseconds.js';
import { describe, expect, it } from 'vitest';
import { MAX_ASKED_AGAIN } from './asked-again.js';
import type { TaskCommand } from './commands.js';
import { decide, decideAll } from './decide.js';
import type { TaskCreatedData, TaskEvent } from './events.js';
import { evolve, fold } from './evolve.js';
import { nextPass } from './next-pass.js';
import { CommandRejected } from './rejection.js';
import { initialState } from './state.js';

const task: TaskCreatedData = {
  tool: 'research',
  arguments: { topic: 'tides' },
  owner: 'ada',
  client: { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} },
  ttlMs: 60_000,
  pollIntervalMs: 1_000,
};
const created: TaskEvent = { type: 'TaskCreated', at: 0, data: task };
const started = (epoch: number, pass = 1): TaskEvent => ({ type: 'PassStarted', at: 1, data: { pass, epoch, workerId: 'w', attempt: 1 } });
const suspended = (waitingFor: string[], pass = 1): TaskEvent => ({ type: 'PassSuspended', at: 3, data: { pass, waitingFor } });
const asked = (key: string): TaskEvent => ({ type: 'InputRequested', at: 2, data: { key, method: 'elicitation/create', params: {} } });
const scheduled = (key: string, dueAt: number): TaskEvent => ({ type: 'TimerScheduled', at: 2, data: { key, dueAt } });
const answer = { response: { action: 'accept' } };
const claim = (pass: number, at = 10): TaskCommand => ({ type: 'ClaimPass', at, pass, workerId: 'w' });
const provide = (key: string): TaskCommand => ({ type: 'ProvideInput', at: 10, key, answer, via: 'test' });
const cancel: TaskCommand = { type: 'CancelTask', at: 10, by: 'ada' };

function given(...events: TaskEvent[]) {
  const state = fold(events);
  return {
    when: (command: TaskCommand) => ({
      emits: (...expected: Partial<TaskEvent>[]) => expect(decide(command, state)).toMatchObject(expected),
      rejects: (code: string) => expect(() => decide(command, state)).toThrow(expect.objectContaining({ name: 'CommandRejected', code })),
    }),
    nextPass: () => nextPass(state),
  };
}

describe('creating and ending a task', () => {
  it('starts the stream with what is needed to run it', () => {
    given().when({ type: 'CreateTask', at: 5, task }).emits({ type: 'TaskCreated', at: 5, data: task });
  });
  it('does not create a task twice', () => given(created).when({ type: 'CreateTask', at: 5, task }).rejects('TASK_EXISTS'));
  it('knows no task before its first event', () => given().when(cancel).rejects('TASK_NOT_FOUND'));
  it('cancels a task that runs, at once, with a reason if there is one', () => {
    given(created, started(1))
      .when(cancel)
      .emits({ type: 'TaskCancelled', data: { by: 'ada' } });
    given(created)
      .when({ type: 'CancelTask', at: 1, by: 'ada', reason: 'enough' })
      .emits({ type: 'TaskCancelled', data: { by: 'ada', reason: 'enough' } });
  });
  it('rejects every command after the end', () => {
    const ended = given(created, started(1), { type: 'TaskCompleted', at: 2, data: { result: {} } });
    ended.when(cancel).rejects('TASK_ENDED');
    ended.when(claim(2)).rejects('TASK_ENDED');
    ended.when({ type: 'CompleteStep', at: 3, epoch: 1, key: 'a' }).rejects('TASK_ENDED');
    expect(ended.nextPass()).toBeUndefined();
  });
  it('keeps a tool result, a JSON-RPC error and a cancellation apart', () => {
    const state = fold([created, started(1)]);
    const end = (command: TaskCommand) => fold(decide(command, state), state).outcome;
    expect(end({ type: 'CompleteTask', at: 2, epoch: 1, result: { isError: true } })).toEqual({
      kind: 'result',
      result: { isError: true },
    });
    expect(end({ type: 'FailTask', at: 2, epoch: 1, error: { code: -32603, message: 'no' } })).toMatchObject({ kind: 'error' });
    expect(end(cancel)).toMatchObject({ kind: 'cancelled', by: 'ada' });
  });
});

describe('claiming a pass', () => {
  it('gives the first pass epoch 1', () =>
    given(created)
      .when(claim(1))
      .emits({ type: 'PassStarted', data: { pass: 1, epoch: 1, workerId: 'w', attempt: 1 } }));
  it('rejects a pass that is not the next one', () => given(created).when(claim(2)).rejects('PASS_NOT_DUE'));
  it('rejects another pass while one runs', () => given(created, started(1)).when(claim(2)).rejects('PASS_NOT_DUE'));
  it('gives a lost pass to another worker under a new epoch', () => {
    given(created, started(1))
      .when(claim(1))
      .emits({ type: 'PassStarted', data: { pass: 1, epoch: 2, workerId: 'w', attempt: 1 } });
  });
  it('rejects everything that the worker of an older epoch still sends', () => {
    const fenced = given(created, started(1), started(2));
    fenced.when({ type: 'CompleteStep', at: 3, epoch: 1, key: 'a' }).rejects('FENCED');
    fenced.when({ type: 'SuspendPass', at: 3, epoch: 1, waitingFor: [] }).rejects('FENCED');
    fenced.when({ type: 'CompleteStep', at: 3, epoch: 2, key: 'a' }).emits({ type: 'StepCompleted' });
  });
  it('records the version of the worker, and how a suspect is isolated', () => {
    given(created)
      .when({ type: 'ClaimPass', at: 10, pass: 1, workerId: 'w', version: '2.0', trial: 'together' })
      .emits({ type: 'PassStarted', data: { pass: 1, epoch: 1, workerId: 'w', attempt: 1, version: '2.0', trial: 'together' } });
  });
  it('fires the timers that are due in the same append', () => {
    const sleeping = given(created, started(1), scheduled('nap', 50), scheduled('night', 500), suspended(['nap', 'night']));
    sleeping.when(claim(2, 49)).rejects('PASS_NOT_DUE');
    sleeping.when(claim(2, 50)).emits({ type: 'TimerFired', data: { key: 'nap' } }, { type: 'PassStarted' });
  });
});

describe('what a pass records', () => {
  const running = given(created, started(1));
  it('a value once', () => {
    running
      .when({ type: 'CompleteStep', at: 2, epoch: 1, key: 'a', value: 7 })
      .emits({ type: 'StepCompleted', data: { key: 'a', value: 7 } });
    const done = given(created, started(1), { type: 'StepCompleted', at: 2, data: { key: 'a', value: 7 } });
    done.when({ type: 'CompleteStep', at: 3, epoch: 1, key: 'a', value: 8 }).rejects('KEY_IN_USE');
    done.when({ type: 'ScheduleTimer', at: 3, epoch: 1, key: 'a', dueAt: wholeMs(9) }).rejects('KEY_IN_USE');
    done.when({ type: 'RequestInput', at: 3, epoch: 1, key: 'a', method: 'roots/list', params: {} }).rejects('KEY_IN_USE');
  });
  it('a failure that is tried again, and then its value', () => {
    const error = { name: 'Error', message: 'busy' };
    running
      .when({ type: 'FailStep', at: 2, epoch: 1, key: 'a', error, attempt: 1, retryAt: wholeMs(20) })
      .emits({ type: 'StepFailed', data: { key: 'a', error, attempt: 1, retryAt: 20 } });
    const retrying = given(created, started(1), { type: 'StepFailed', at: 2, data: { key: 'a', error, attempt: 1, retryAt: 20 } });
    retrying.when({ type: 'CompleteStep', at: 30, epoch: 1, key: 'a' }).emits({ type: 'StepCompleted' });
    retrying.when({ type: 'FailStep', at: 30, epoch: 1, key: 'a', error, attempt: 2 }).emits({ type: 'StepFailed' });
  });
  it('a timer that fires once', () => {
    given(created, started(1), scheduled('t', 5)).when({ type: 'FireTimer', at: 6, epoch: 1, key: 't' }).emits({ type: 'TimerFired' });
    given(created, started(1), scheduled('t', 5), { type: 'TimerFired', at: 6, data: { key: 't' } })
      .when({ type: 'FireTimer', at: 7, epoch: 1, key: 't' })
      .emits();
    running.when({ type: 'FireTimer', at: 6, epoch: 1, key: 't' }).rejects('UNKNOWN_KEY');
  });
  it('reports once each, and progress never backwards', () => {
    running.when({ type: 'ReportStatus', at: 2, epoch: 1, message: 'go', seq: 1 }).emits({ type: 'StatusReported' });
    const reported = given(
      created,
      started(1),
      { type: 'StatusReported', at: 2, data: { message: 'go', seq: 2 } },
      { type: 'ProgressReported', at: 2, data: { progress: 5, seq: 1 } },
    );
    reported.when({ type: 'ReportStatus', at: 3, epoch: 1, message: 'earlier', seq: 1 }).emits();
    reported.when({ type: 'ReportStatus', at: 3, epoch: 1, message: 'of a step', seq: 2 }).emits({ type: 'StatusReported' });
    reported.when({ type: 'ReportProgress', at: 3, epoch: 1, progress: 4, seq: 2 }).emits();
    reported.when({ type: 'ReportProgress', at: 3, epoch: 1, progress: 5, seq: 1 }).emits();
    reported.when({ type: 'ReportProgress', at: 3, epoch: 1, progress: 6, seq: 2 }).emits({ type: 'ProgressReported' });
  });
  it('a value that is shown, and none from before it', () => {
    const shown = given(created, started(1), { type: 'ValueExposed', at: 2, data: { value: null, seq: 2 } });
    shown.when({ type: 'ExposeValue', at: 3, epoch: 1, value: 'earlier', seq: 1 }).emits();
    shown.when({ type: 'ExposeValue', at: 3, epoch: 1, value: 'of a step', seq: 2 }).emits({ type: 'ValueExposed' });
    const exposed = { type: 'ValueExposed', at: 2, data: { value: null, seq: 2 } } as const;
    expect(fold([created, started(1), exposed])).toMatchObject({ version: 3, uncounted: 1, exposed: { value: null } });
  });
  it('a failed pass, whose failed steps the next attempt runs again', () => {
    const error = { name: 'Error', message: 'no' };
    const failed = [
      created,
      started(1),
      { type: 'StepCompleted', at: 2, data: { key: 'kept' } },
      { type: 'StepFailed', at: 2, data: { key: 'again', error, attempt: 1 } },
    ] as const satisfies TaskEvent[];
    given(...failed)
      .when({ type: 'FailPass', at: 3, epoch: 1, error, retryAt: wholeMs(90) })
      .emits({ type: 'PassFailed', data: { pass: 1, error, attempt: 1, retryAt: 90 } });
    const state = fold([...failed, { type: 'PassFailed', at: 3, data: { pass: 1, error, attempt: 1, retryAt: 90 } }]);
    expect([...state.operations].map(([key]) => key)).toEqual(['kept']);
    expect(state).toMatchObject({ attempt: 2, attemptSince: 5 });
    expect(nextPass(state)).toEqual({ pass: 2, dueAt: 90 });
  });
});

describe('input', () => {
  it('is taken once: the first answer wins', () => {
    given(created, started(1), asked('q'))
      .when(provide('q'))
      .emits({ type: 'InputReceived', data: { key: 'q', answer, via: 'test' } });
    given(created, started(1), asked('q'), { type: 'InputReceived', at: 3, data: { key: 'q', answer, via: 'a' } })
      .when(provide('q'))
      .emits();
  });
  it('is recorded as what it means, and rejected when it does not fit what was asked', () => {
    const params = { requestedSchema: { type: 'object', properties: { age: { type: 'integer' } } } };
    const form: TaskEvent = { type: 'InputRequested', at: 2, data: { key: 'q', method: 'elicitation/create', params } };
    const withAge = (age: string): TaskCommand => ({
      type: 'ProvideInput',
      at: 10,
      key: 'q',
      answer: { response: { action: 'accept', content: { age } } },
      via: 'test',
    });
    const task = given(created, started(1), form);
    task
      .when(withAge('5'))
      .emits({ type: 'InputReceived', data: { key: 'q', answer: { response: { action: 'accept', content: { age: 5 } } }, via: 'test' } });
    task.when(withAge('five')).rejects('ANSWER_DOES_NOT_FIT');
  });
  it('that was refused is asked for again, once for each time that it was asked, and a few times in all', () => {
    const refuse = (refusedBefore: number): TaskCommand => ({
      type: 'RefuseAnswer',
      at: 10,
      key: 'q',
      reason: 'no',
      via: 'test',
      refusedBefore,
    });
    const refused: TaskEvent = { type: 'AnswerRefused', at: 10, data: { key: 'q', reason: 'no', via: 'test' } };
    given(created, started(1), asked('q')).when(refuse(0)).emits(refused);
    given(created, started(1), asked('q'), refused).when(refuse(0)).emits();
    given(created, started(1), asked('q'), refused).when(refuse(1)).emits(refused);
    const often = Array.from({ length: MAX_ASKED_AGAIN }, () => refused);
    given(created, started(1), asked('q'), ...often)
      .when(refuse(MAX_ASKED_AGAIN))
      .emits();
    expect(fold([created, started(1), asked('q'), refused, refused]).operations.get('q')).toMatchObject({
      status: 'pending',
      refused: { times: 2, reason: 'no' },
    });
  });
  it('that is answered or was never asked is not asked for again', () => {
    const refuse: TaskCommand = { type: 'RefuseAnswer', at: 10, key: 'q', reason: 'no', via: 'test', refusedBefore: 0 };
    given(created, started(1), asked('q'), { type: 'InputReceived', at: 3, data: { key: 'q', answer, via: 'a' } })
      .when(refuse)
      .emits();
    given(created, started(1)).when(refuse).emits();
  });
  it('is rejected when nobody asked', () => {
    given(created, started(1)).when(provide('q')).rejects('UNKNOWN_INPUT');
    given(created, started(1), { type: 'StepCompleted', at: 2, data: { key: 'q' } })
      .when(provide('q'))
      .rejects('UNKNOWN_INPUT');
  });
});

describe('when the next pass is due', () => {
  it('at once for a new task, and not while a pass runs', () => {
    expect(given(created).nextPass()).toEqual({ pass: 1, dueAt: 0 });
    expect(given(created, started(1)).nextPass()).toBeUndefined();
    expect(nextPass(initialState)).toBeUndefined();
  });
  it('without a time while only input is waited for, at once when it has come', () => {
    const waiting = [created, started(1), asked('q'), suspended(['q'])];
    expect(given(...waiting).nextPass()).toBeUndefined();
    const received: TaskEvent = { type: 'InputReceived', at: 4, data: { key: 'q', answer, via: 'a' } };
    expect(given(...waiting, received).nextPass()).toEqual({ pass: 2, dueAt: 0 });
  });
  it('at once when the answer came while the pass was still suspending', () => {
    const received: TaskEvent = { type: 'InputReceived', at: 2, data: { key: 'q', answer, via: 'a' } };
    expect(given(created, started(1), asked('q'), received, suspended(['q'])).nextPass()).toEqual({ pass: 2, dueAt: 0 });
  });
  it('at the earliest timer or retry', () => {
    const error = { name: 'Error', message: '' };
    const retry: TaskEvent = { type: 'StepFailed', at: 2, data: { key: 's', error, attempt: 1, retryAt: 40 } };
    expect(given(created, started(1), scheduled('t', 90), retry, suspended(['t', 's'])).nextPass()).toEqual({ pass: 2, dueAt: 40 });
  });
  it('at once when the pass was released', () =>
    expect(given(created, started(1), suspended([])).nextPass()).toEqual({ pass: 2, dueAt: 0 }));
  it('only for keys that exist', () => {
    given(created, started(1))
      .when({ type: 'SuspendPass', at: 2, epoch: 1, waitingFor: ['ghost'] })
      .rejects('UNKNOWN_KEY');
  });
});

describe('folding', () => {
  it('leaves the state that it starts from as it was', () => {
    const before = fold([created, started(1)]);
    const after = evolve(before, { type: 'StepCompleted', at: 2, data: { key: 'a' } });
    expect([...before.operations].length).toBe(0);
    expect([...after.operations].length).toBe(1);
  });
  it('decides several commands one upon the other, or none of them', () => {
    const state = fold([created, started(1)]);
    const ask: TaskCommand = { type: 'RequestInput', at: 2, epoch: 1, key: 'q', method: 'roots/list', params: {} };
    const { events, state: after } = decideAll([ask, { type: 'SuspendPass', at: 2, epoch: 1, waitingFor: ['q'] }], state);
    expect(events.map(({ type }) => type)).toEqual(['InputRequested', 'PassSuspended']);
    expect(after.pass).toEqual({ phase: 'suspended', waitingFor: ['q'], since: 2 });
    expect(() => decideAll([ask, ask], state)).toThrow(CommandRejected);
  });
  it('survives streams of older shapes: an answer or a firing without its request', () => {
    const state = fold([
      created,
      { type: 'InputReceived', at: 1, data: { key: 'q', answer, via: 'a' } },
      { type: 'TimerFired', at: 2, data: { key: 't' } },
    ]);
    expect(state.operations.get('q')).toMatchObject({ status: 'answered', method: '' });
    expect(state.operations.get('t')).toMatchObject({ status: 'fired', dueAt: 2 });
  });
});

describe('leaving a plain call', () => {
  const implicit: TaskEvent = { type: 'TaskCreated', at: 0, data: { ...task, implicit: true } };
  const detach: TaskCommand = { type: 'DetachTask', at: 10, because: 'abandoned', afterMs: 10, reason: 'Request timed out' };
  const detached: TaskEvent = { type: 'TaskDetached', at: 10, data: { because: 'abandoned', afterMs: 10, reason: 'Request timed out' } };

  it('happens once, and only to a task that a plain call waits for', () => {
    given(implicit, started(1)).when(detach).emits(detached);
    given(implicit, detached).when(detach).emits();
    given(created).when(detach).emits();
    given(implicit, { type: 'TaskCancelled', at: 5, data: { by: 'ada' } })
      .when(detach)
      .rejects('TASK_ENDED');
  });

  it('is kept when the workflow begins again as new', () => {
    const anew = decideAll(
      [{ ...detach }, { type: 'ClaimPass', at: 10, pass: 1, workerId: 'w' }, { type: 'ContinueAsNew', at: 11, epoch: 1, arguments: {} }],
      fold([implicit]),
    );
    expect(fold([anew.events.at(-1) as TaskEvent])).toMatchObject({ detachedAt: 10 });
  });
});
