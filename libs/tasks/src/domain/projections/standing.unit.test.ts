/** Tests that after any history, the view of a task decides as its history does. */
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OutsideCommand, TaskCommand } from '../commands.js';
import { decide } from '../decide.js';
import type { TaskEvent } from '../events.js';
import { fold } from '../evolve.js';
import { nextDeadline } from '../next-deadline.js';
import { nextPass } from '../next-pass.js';
import { misfitOf } from '../../signals/misfit-of.js';
import { commands, play } from '../../../../../test/support/random-commands.js';
import type { TaskState } from '../state.js';
import type { TaskId } from '../task-id.js';
import { project, restore } from './project.js';
import type { TaskView } from './task-view.js';

const taskId = randomUUID() as TaskId;
const throughJson = (view: TaskView): TaskView => JSON.parse(JSON.stringify(view)) as TaskView;

const keys = ['a', 'b', 'c'];
const at = 30;

const outside: { readonly [T in OutsideCommand['type']]: readonly Extract<TaskCommand, { type: T }>[] } = {
  CancelTask: [{ type: 'CancelTask', at, by: 'o' }],
  ProvideInput: keys.map((key) => ({ type: 'ProvideInput', at, key, answer: { response: {} }, via: 'v' })),
  RefuseAnswer: keys.map((key) => ({ type: 'RefuseAnswer', at, key, reason: 'r', via: 'v', refusedBefore: 0 })),
  SendSignal: [undefined, 'id'].flatMap((id) =>
    keys.map(
      (name) => ({ type: 'SendSignal', at, name, value: name, bytes: 3, via: 'v', ...(id !== undefined && { id }), misfitOf }) as const,
    ),
  ),
  DetachTask: [{ type: 'DetachTask', at, because: 'handed-over', afterMs: 5 }],
  ExpireTask: [{ type: 'ExpireTask', at }],
  EndChild: keys.flatMap((key) =>
    ['x', 'y'].map((taskId) => ({ type: 'EndChild', at, key, taskId, outcome: { kind: 'result', result: {} } }) as const),
  ),
  AskForChild: keys.map((key) => ({ type: 'AskForChild', at, key, taskId: 'x', input: { key: '$q', method: 'roots/list', params: {} } })),
  ReportForChild: keys.flatMap((key) =>
    [0, 5, 9].map((progress) => ({ type: 'ReportForChild' as const, at, key, taskId: 'x', report: { progress, total: 9, message: 'm' } })),
  ),
  FailPermanently: [{ type: 'FailPermanently', at, error: { code: 1, message: 'm' } }],
};

const holds = (check: (state: TaskState) => void) =>
  fc.assert(
    fc.property(commands, (sequence) => {
      for (const state of play(sequence).states) if (state.version > 0) check(state);
    }),
    { numRuns: 300 },
  );

it('has the same next pass, the same deadline and the same view', () =>
  holds((state) => {
    const { view } = project(taskId, state);
    const restored = restore(throughJson(view));
    expect(nextPass(restored)).toEqual(nextPass(state));
    expect(nextDeadline(restored)).toEqual(nextDeadline(state));
    if (state.outcome === undefined) expect(project(taskId, restored).view).toEqual(view);
  }));

it('decides the same on every command from outside a pass, and leads to the same view', () =>
  holds((state) => {
    const restored = restore(throughJson(project(taskId, state).view));
    for (const command of Object.values(outside).flat()) {
      // Only the view knows no more whether an input that is not pending was answered or never asked for.
      if (command.type === 'ProvideInput' && !state.pendingInputs.has(command.key)) continue;
      const expected = outcomeOf(command, state);
      expect(outcomeOf(command, restored)).toEqual(expected);
      if (Array.isArray(expected))
        expect(project(taskId, fold(expected, restored)).view).toEqual(project(taskId, fold(expected, state)).view);
    }
  }));

function outcomeOf(command: TaskCommand, state: TaskState): readonly TaskEvent[] | string {
  try {
    return decide(command, state);
  } catch (error) {
    return String(error);
  }
}
