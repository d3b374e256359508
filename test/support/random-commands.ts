/** Random command sequences, and the histories that they lead to. */
import { type TaskCreatedData, type TaskEvent, wholeMs } from '@longhaul/tasks';
import { CommandRejected, decide, evolve, initialState, type TaskCommand, type TaskState } from '@longhaul/tasks/testing';
import * as fc from 'fast-check';

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
  maxRunMs: 40,
  maxWaitMs: 20,
} as const);

const command: fc.Arbitrary<TaskCommand> = fc.oneof(
  fc.record({ type: fc.constant('CreateTask' as const), at, task }),
  fc.record(
    {
      type: fc.constant('ClaimPass' as const),
      at,
      pass: fc.integer({ min: 1, max: 6 }),
      workerId: fc.constant('w'),
      trial: fc.constantFrom('together' as const, 'alone' as const),
    },
    { requiredKeys: ['type', 'at', 'pass', 'workerId'] },
  ),
  fc.record({
    type: fc.constant('ProvideInput' as const),
    at,
    key,
    answer: fc.constant({ response: { action: 'decline' } }),
    via: fc.constant('v'),
  }),
  fc.record({ type: fc.constant('CancelTask' as const), at, by: fc.constant('o') }),
  fc.record({ type: fc.constant('ExpireTask' as const), at }),
  fc.record({ type: fc.constant('FailPermanently' as const), at, error: fc.constant({ code: 1, message: 'm' }) }),
  fc.record({
    type: fc.constant('StartStep' as const),
    at,
    epoch,
    key,
    attempt: fc.constant(1),
    startedAt: at,
    startedAfter: fc.constant(1),
  }),
  fc.record({ type: fc.constant('CompleteStep' as const), at, epoch, key, value: fc.integer() }),
  fc.record({
    type: fc.constant('FailStep' as const),
    at,
    epoch,
    key,
    error,
    attempt: fc.constant(1),
    retryAt: fc.integer({ min: 0, max: 50 }).map(wholeMs),
  }),
  fc.record({ type: fc.constant('FailStep' as const), at, epoch, key, error, attempt: fc.constant(1) }),
  fc.record({ type: fc.constant('RequestInput' as const), at, epoch, key, method: fc.constant('roots/list'), params: fc.constant({}) }),
  fc.record({ type: fc.constant('ScheduleTimer' as const), at, epoch, key, dueAt: at.map(wholeMs) }),
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
  fc.record({ type: fc.constant('FailPass' as const), at, epoch, error, retryAt: at.map(wholeMs) }),
  fc.record({ type: fc.constant('ContinueAsNew' as const), at, epoch, arguments: fc.constant({ again: true }) }),
  fc.record({ type: fc.constant('CompleteTask' as const), at, epoch, result: fc.constant({}) }),
  fc.record({ type: fc.constant('FailTask' as const), at, epoch, error: fc.constant({ code: 1, message: 'm' }) }),
);

function created(data: TaskCreatedData): TaskCommand {
  return { type: 'CreateTask', at: 0, task: data };
}

/** A task's creation, and then any commands. */
export const commands = fc
  .tuple(task, fc.array(command, { maxLength: 60 }))
  .map(([task, rest]): TaskCommand[] => [created(task)].concat(rest));

/** Takes the commands that are allowed. */
export function play(sequence: readonly TaskCommand[]): { events: TaskEvent[]; states: TaskState[] } {
  const events: TaskEvent[] = [];
  const states = [initialState];
  for (const each of sequence) {
    const state = states.at(-1) ?? initialState;
    try {
      const decided = decide(each, state);
      events.push(...decided);
      states.push(decided.reduce(evolve, state));
    } catch (thrown) {
      if (!(thrown instanceof CommandRejected)) throw thrown;
    }
  }
  return { events, states };
}
