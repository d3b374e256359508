/** Makes random command sequences, and the resulting histories. */
import { type TaskCreatedData, type TaskEvent, wholeMs } from '@longhaul/tasks';
import { CommandRejected, decide, evolve, initialState, misfitOf, type TaskCommand, type TaskState } from '@longhaul/tasks/testing';
import * as fc from 'fast-check';

const key = fc.constantFrom('a', 'b', 'c');
const at = fc.integer({ min: 0, max: 50 });
const epoch = fc.integer({ min: 1, max: 4 });
const error = fc.constant({ name: 'Error', message: 'x' });
const plain = {
  tool: 't',
  arguments: {},
  owner: 'o',
  client: { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} },
  ttlMs: 1,
  pollIntervalMs: 1,
  maxRunMs: 40,
  maxWaitMs: 20,
} as const;
const task = fc.constantFrom(plain, { ...plain, implicit: true });

type Arbitraries = { readonly [T in TaskCommand['type']]: fc.Arbitrary<Omit<Extract<TaskCommand, { type: T }>, 'type'>> };

const seq = fc.integer({ min: 1, max: 5 });
const failure = fc.constant({ code: 1, message: 'm' });
const attempt = fc.constant(1);
const childId = fc.constantFrom('x', 'y');

/** Every command, with any of a few keys, times and epochs. */
const COMMANDS: Arbitraries = {
  CreateTask: fc.record({ at, task }),
  ClaimPass: fc.record(
    { at, pass: fc.integer({ min: 1, max: 6 }), workerId: fc.constant('w'), trial: fc.constantFrom('together' as const, 'alone' as const) },
    { requiredKeys: ['at', 'pass', 'workerId'] },
  ),
  ProvideInput: fc.record({ at, key, answer: fc.constant({ response: { action: 'decline' } }), via: fc.constant('v') }),
  RefuseAnswer: fc.record({ at, key, reason: fc.constant('r'), via: fc.constant('v'), refusedBefore: fc.integer({ min: 0, max: 2 }) }),
  SendSignal: fc.record(
    {
      at,
      name: key,
      value: key,
      bytes: fc.constant(3),
      via: fc.constant('v'),
      id: fc.constantFrom('i', 'j'),
      misfitOf: fc.constant(misfitOf),
    },
    { requiredKeys: ['at', 'name', 'value', 'bytes', 'via', 'misfitOf'] },
  ),
  DetachTask: fc.record({ at, because: fc.constantFrom('handed-over' as const, 'abandoned' as const), afterMs: at }),
  CancelTask: fc.record({ at, by: fc.constant('o') }),
  ExpireTask: fc.record({ at }),
  FailPermanently: fc.record({ at, error: failure }),
  StartStep: fc.record({ at, epoch, key, attempt, startedAt: at, startedAfter: fc.constant(1) }),
  CompleteStep: fc.record({ at, epoch, key, value: fc.integer() }),
  FailStep: fc.record(
    { at, epoch, key, error, attempt, retryAt: at.map(wholeMs) },
    { requiredKeys: ['at', 'epoch', 'key', 'error', 'attempt'] },
  ),
  RequestInput: fc.record({ at, epoch, key, method: fc.constant('roots/list'), params: fc.constant({}) }),
  WithdrawInput: fc.record({ at, epoch, key, reason: fc.constant('r') }),
  StartChild: fc.record({ at, epoch, key, taskId: childId, tool: fc.constant('t'), bond: fc.constantFrom('bound', 'left', 'detached') }),
  DelayChild: fc.record({ at, epoch, key, reason: fc.constant('r'), retryAt: at.map(wholeMs) }),
  ConfirmChild: fc.record({ at, epoch, key }),
  DetachChild: fc.record({ at, epoch, key, taskId: childId }),
  SettleChild: fc.record({ at, epoch, key, outcome: fc.constant({ kind: 'none', code: 'CHILD_REFUSED', message: 'm' } as const) }),
  EndChild: fc.record({ at, key, taskId: childId, outcome: fc.constant({ kind: 'result', result: {} } as const) }),
  AskForChild: fc.record({ at, key, taskId: childId, input: fc.constant({ key: '$q', method: 'roots/list', params: {} }) }),
  ReportForChild: fc.record({ at, key, taskId: childId, report: fc.record({ progress: fc.integer({ min: 0, max: 9 }) }) }),
  ScheduleTimer: fc.record({ at, epoch, key, dueAt: at.map(wholeMs) }),
  FireTimer: fc.record({ at, epoch, key }),
  AwaitSignal: fc.record(
    {
      at,
      epoch,
      key,
      names: fc.uniqueArray(key, { minLength: 1 }),
      dueAt: at.map(wholeMs),
      schema: fc.constantFrom({ const: 'a' }, { const: 'b' }),
      misfitOf: fc.constant(misfitOf),
    },
    { requiredKeys: ['at', 'epoch', 'key', 'names', 'misfitOf'] },
  ),
  WithdrawWait: fc.record({ at, epoch, key, reason: fc.constant('r') }),
  ReportStatus: fc.record({ at, epoch, message: fc.constant('m'), seq }),
  ReportProgress: fc.record({ at, epoch, progress: fc.integer({ min: 0, max: 9 }), seq }),
  ExposeValue: fc.record({ at, epoch, value: fc.integer(), seq }),
  ReportSpending: fc.record({ at, epoch, cost: fc.constantFrom(0.1, 2), seq }, { requiredKeys: ['at', 'epoch'] }),
  SendNotification: fc.record({ at, epoch, method: fc.constant('notifications/message'), params: fc.constant({}), seq }),
  SuspendPass: fc.record(
    {
      at,
      epoch,
      waitingFor: fc.uniqueArray(key),
      patience: fc.record({ open: fc.integer({ min: 0, max: 2 }), ms: fc.integer({ min: 1, max: 9 }) }),
    },
    { requiredKeys: ['at', 'epoch', 'waitingFor'] },
  ),
  FailPass: fc.record({ at, epoch, error, retryAt: at.map(wholeMs) }),
  ContinueAsNew: fc.record({ at, epoch, arguments: fc.constant({ again: true }) }),
  CompleteTask: fc.record({ at, epoch, result: fc.constant({}) }),
  FailTask: fc.record({ at, epoch, error: failure }),
};

const command = fc.oneof(
  ...Object.entries(COMMANDS).map(([type, rest]) => (rest as fc.Arbitrary<object>).map((data) => ({ type, ...data }) as TaskCommand)),
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
