import { describe, expect, it } from 'vitest';
import type { HistoryEvent } from '../../../src/answers.js';
import { valuesOf } from './values.js';

const AT = '2026-01-31T12:00:00.000Z';
const event = (version: number, type: string, data: Record<string, unknown>): HistoryEvent => ({ version, type, at: AT, data });

describe('an operation', () => {
  it.each([
    ['a step', event(2, 'StepStarted', { key: 'a', attempt: 1 }), event(3, 'StepCompleted', { key: 'a', value: 7 }), { output: 7 }],
    ['a step that was recorded at once', event(3, 'StepCompleted', { key: 'a', value: null }), 'the same', { output: null }],
    ['a step without a value', event(3, 'StepCompleted', { key: 'a', startedAt: 1, startedAfter: 2 }), 'the same', {}],
    ['a large value', event(3, 'StepCompleted', { key: 'a', large: { bytes: 9 } }), 'the same', { output: { bytes: 9 } }],
    ['a step that failed', event(3, 'StepFailed', { key: 'a', error: { name: 'E' }, attempt: 2 }), 'the same', { error: { name: 'E' } }],
    [
      'a question',
      event(2, 'InputRequested', { key: 'q', method: 'elicitation/create', params: { message: '?' } }),
      event(3, 'InputReceived', { key: 'q', via: 'client', answer: { response: { action: 'decline' } } }),
      { input: { message: '?' }, output: { action: 'decline' } },
    ],
    [
      'a refused question',
      event(2, 'InputRequested', { key: 'q', params: {} }),
      event(3, 'InputReceived', { key: 'q', answer: { error: { code: 1 } } }),
      { input: {}, error: { code: 1 } },
    ],
    [
      'a called task',
      event(2, 'ChildStarted', { key: 'c', taskId: 't', tool: 'x', bond: 'bound' }),
      event(3, 'ChildEnded', { key: 'c', outcome: { kind: 'result', result: { content: [] } } }),
      { output: { content: [] } },
    ],
    [
      'a called task that failed',
      event(2, 'ChildStarted', { key: 'c', taskId: 't', tool: 'x', bond: 'bound' }),
      event(3, 'ChildEnded', { key: 'c', outcome: { kind: 'error', error: { code: 2 } } }),
      { error: { code: 2 } },
    ],
    [
      'a cancelled one',
      event(2, 'ChildStarted', { key: 'c', taskId: 't', tool: 'x', bond: 'bound' }),
      event(3, 'ChildEnded', { key: 'c', outcome: { kind: 'cancelled', reason: 'no' } }),
      { error: { kind: 'cancelled', reason: 'no' } },
    ],
    ['a timer', event(2, 'TimerScheduled', { key: 't', dueAt: 5 }), event(3, 'TimerFired', { key: 't' }), { input: { dueAt: 5 } }],
    [
      'a wait for a signal',
      event(2, 'SignalAwaited', { key: 's', names: ['stop'] }),
      event(3, 'SignalReceived', { key: 's', seq: 4 }),
      { input: { names: ['stop'] }, output: { seq: 4 } },
    ],
  ] as const)('that is %s has its input and its output', (_what, opening, settling, values) => {
    expect(valuesOf(opening, settling === 'the same' ? opening : settling)).toEqual(values);
  });

  it('that has not settled has its input alone', () => {
    expect(valuesOf(event(2, 'InputRequested', { key: 'q', params: { message: '?' } }), undefined)).toEqual({ input: { message: '?' } });
    expect(valuesOf(event(2, 'StepStarted', { key: 'a', attempt: 1 }), undefined)).toEqual({});
    expect(valuesOf(undefined, undefined)).toEqual({});
  });
});
