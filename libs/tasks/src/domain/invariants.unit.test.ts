/** Random command sequences: whatever is asked in whatever order, the rules of the domain hold. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaskCommand } from './commands.js';
import { decide } from './decide.js';
import type { TaskEvent } from './events.js';
import { evolve, fold } from './evolve.js';
import { nextPass } from './next-pass.js';
import { CommandRejected } from './rejection.js';
import { initialState, isSettled, type TaskState } from './state.js';

const key = fc.constantFrom('a', 'b', 'c');
const at = fc.integer({ min: 0, max: 50 });
const epoch = fc.integer({ min: 1, max: 4 });
const error = fc.constant({ name: 'Error', message: 'x' });
const task = fc.constant({
  tool: 't',
  arguments: {},
  owner: 'o',
  client: { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} },
  ttlMs: 1,
  pollIntervalMs: 1,
} as const);

const command: fc.Arbitrary<TaskCommand> = fc.oneof(
  fc.record({ type: fc.constant('CreateTask' as const), at, task }),
  fc.record({
    type: fc.constant('ClaimPass' as const),
    at,
    pass: fc.integer({ min: 1, max: 6 }),
    workerId: fc.constant('w'),
    maxLostPasses: fc.constant(3),
  }),
  fc.record({ type: fc.constant('ProvideInput' as const), at, key, answer: fc.constant({ response: {} }), via: fc.constant('v') }),
  { weight: 1, arbitrary: fc.record({ type: fc.constant('CancelTask' as const), at, by: fc.constant('o') }) },
  fc.record({ type: fc.constant('CompleteStep' as const), at, epoch, key, value: fc.integer() }),
  fc.record({
    type: fc.constant('FailStep' as const),
    at,
    epoch,
    key,
    error,
    attempt: fc.constant(1),
    retryAt: fc.integer({ min: 0, max: 50 }),
  }),
  fc.record({ type: fc.constant('FailStep' as const), at, epoch, key, error, attempt: fc.constant(1) }),
  fc.record({ type: fc.constant('RequestInput' as const), at, epoch, key, method: fc.constant('roots/list'), params: fc.constant({}) }),
  fc.record({ type: fc.constant('ScheduleTimer' as const), at, epoch, key, dueAt: at }),
  fc.record({ type: fc.constant('FireTimer' as const), at, epoch, key }),
  fc.record({ type: fc.constant('ReportStatus' as const), at, epoch, message: fc.constant('m'), seq: fc.integer({ min: 1, max: 5 }) }),
  fc.record({
    type: fc.constant('ReportProgress' as const),
    at,
    epoch,
    progress: fc.integer({ min: 0, max: 9 }),
    seq: fc.integer({ min: 1, max: 5 }),
  }),
  fc.record({ type: fc.constant('SuspendPass' as const), at, epoch, waitingFor: fc.uniqueArray(key) }),
  fc.record({ type: fc.constant('FailPass' as const), at, epoch, error, retryAt: at }),
  fc.record({ type: fc.constant('CompleteTask' as const), at, epoch, result: fc.constant({}) }),
  fc.record({ type: fc.constant('FailTask' as const), at, epoch, error: fc.constant({ code: 1, message: 'm' }) }),
);

const creation: TaskCommand = { type: 'CreateTask', at: 0, task: fc.sample(task, 1)[0]! };
const commands = fc.array(command, { maxLength: 60 }).map((rest): TaskCommand[] => [creation, ...rest]);

function play(sequence: readonly TaskCommand[]): { events: TaskEvent[]; states: TaskState[] } {
  const events: TaskEvent[] = [];
  const states = [initialState];
  for (const each of sequence) {
    const state = states.at(-1)!;
    try {
      const decided = decide(each, state);
      events.push(...decided);
      states.push(decided.reduce(evolve, state));
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(CommandRejected);
    }
  }
  return { events, states };
}

const holds = (check: (played: ReturnType<typeof play>) => void) =>
  fc.assert(
    fc.property(commands, (sequence) => {
      check(play(sequence));
    }),
    { numRuns: 500 },
  );

describe('for every sequence of commands', () => {
  it('nothing follows the end', () =>
    holds(({ events }) => {
      const end = events.findIndex(({ type }) => ['TaskCompleted', 'TaskFailed', 'TaskCancelled'].includes(type));
      if (end >= 0) expect(events).toHaveLength(end + 1);
    }));
  it('epochs only rise, one by one', () =>
    holds(({ events }) => {
      const epochs = events.flatMap((event) => (event.type === 'PassStarted' ? [event.data.epoch] : []));
      expect(epochs).toEqual(epochs.map((_, index) => index + 1));
    }));
  it('an operation that was settled keeps its value', () =>
    holds(({ states }) => {
      for (const [index, state] of states.entries())
        for (const [name, operation] of states[index - 1]?.operations ?? [])
          if (isSettled(operation) && operation.status !== 'failed') expect(state.operations.get(name)).toEqual(operation);
    }));
  it('no pass is due while one runs, and a pass that is due is the next one', () =>
    holds(({ states }) => {
      for (const state of states) {
        const next = nextPass(state);
        if (state.pass.phase === 'running' || state.outcome !== undefined) expect(next).toBeUndefined();
        else if (next !== undefined) expect(next.pass).toBe(state.passNumber + 1);
      }
    }));
  it('a suspended pass whose wait is settled is due at once', () =>
    holds(({ states }) => {
      for (const state of states)
        if (state.pass.phase === 'suspended' && state.pass.waitingFor.some((name) => isSettled(state.operations.get(name))))
          expect(nextPass(state)?.dueAt).toBe(0);
    }));
  it('progress never decreases', () =>
    holds(({ events }) => {
      const values = events.flatMap((event) => (event.type === 'ProgressReported' ? [event.data.progress] : []));
      expect(values).toEqual(values.toSorted((a, b) => a - b));
    }));
  it('folding all events at once is the same as one by one', () =>
    holds(({ events, states }) => expect(fold(events)).toEqual(states.at(-1))));
});
