/** Tests that the rules of the domain hold after random command sequences. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from './evolve.js';
import { nextPass } from './next-pass.js';
import { timelineOf } from './projections/timeline.js';
import { commands, play } from '../../../../test/support/random-commands.js';
import { type TaskState } from './state.js';
import { isSettled } from './operation-kinds.js';

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
  it('an operation that was settled keeps its value until the task is continued as new', () =>
    holds(({ states }) => {
      for (const [index, state] of states.entries())
        if (state.runSince === states[index - 1]?.runSince)
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
  it('a suspended pass whose wait is settled is due at once, and with patience soon after the end of a child', () =>
    holds(({ states }) => {
      for (const { pass, ...state } of states) {
        if (pass.phase !== 'suspended') continue;
        const settled = pass.waitingFor.flatMap((name) => {
          const operation = state.operations.get(name);
          return operation !== undefined && isSettled(operation) ? [operation] : [];
        });
        if (settled.length === 0) continue;
        const { ms = 0, open = 0 } = pass.patience ?? {};
        const mayWait = state.openChildren.size > open && settled.every(({ status }) => status === 'ended');
        const ends = settled.map((operation) => (mayWait && operation.status === 'ended' && ms > 0 ? operation.endedAt + ms : 0));
        expect(nextPass({ pass, ...state })?.dueAt).toBeLessThanOrEqual(Math.min(...ends));
      }
    }));
  it('progress never decreases', () =>
    holds(({ events }) => {
      const values = events.flatMap((event) => (event.type === 'ProgressReported' ? [event.data.progress] : []));
      expect(values).toEqual(values.toSorted((a, b) => a - b));
    }));
  it('a continued task is folded from its latest stream alone', () =>
    holds(({ events, states }) => {
      const start = events.findLastIndex(({ type }) => type === 'TaskContinued');
      if (start >= 0) expect(plain(fold(events.slice(start)))).toEqual(plain(states.at(-1)));
    }));
  it('the story of the events has each pass and each settled operation, and nothing begins after its end', () =>
    holds(({ events, states }) => {
      const start = Math.max(
        0,
        events.findLastIndex(({ type }) => type === 'TaskContinued'),
      );
      const { passes, operations, waits } = timelineOf(events.slice(start));
      const state = states.at(-1);
      expect(passes.filter(({ ending }) => ending === undefined)).toHaveLength(state?.pass.phase === 'running' ? 1 : 0);
      expect(passes).toHaveLength(events.slice(start).filter(({ type }) => type === 'PassStarted').length);
      expect(waits.filter(({ endedAt }) => endedAt === undefined)).toHaveLength(
        state?.pass.phase === 'running' || state?.outcome !== undefined ? 0 : 1,
      );
      for (const [name, operation] of state?.operations ?? []) {
        const span = operations.findLast(({ key: ofKey }) => ofKey === name);
        expect(span?.settledVersion).toBe(operation.settledAt);
        expect(span?.version).toBeLessThanOrEqual(operation.since);
      }
    }));
  it('folding all events at once is the same as one by one', () =>
    holds(({ events, states }) => expect(plain(fold(events))).toEqual(plain(states.at(-1)))));
});

/** Operations are compared by what they hold, not by how it is layered. */
function plain(state: TaskState | undefined): unknown {
  return { ...state, operations: [...(state?.operations ?? [])] };
}
