/**
 * Decides which events a command causes in a state. Pure; throws `CommandRejected` when the command is not allowed. Three rules hold for
 * every command: nothing follows the end of a task, a pass command counts only under the present epoch, and no operation key is used twice.
 */
import { MAX_ASKED_AGAIN } from './asked-again.js';
import { isOfChild } from './child-commands.js';
import { askForChild, duringChild, endChild, largeValuesKept, reportForChild } from './decide-children.js';
import { fittingAnswer } from './fitting-answer.js';
import type { ClaimPass, DetachTask, PassCommand, ProvideInput, RefuseAnswer, TaskCommand } from './commands.js';
import type { InputAnswer, TaskEvent, TaskFailure } from './events.js';
import type { JsonObject } from './json.js';
import { apply, draftOf } from './evolve.js';
import { nextDeadline } from './next-deadline.js';
import { mayStart, nextPass } from './next-pass.js';
import { JsonRpcCode } from './json-rpc-code.js';
import { CommandRejected } from './rejection.js';
import type { TaskState } from './state.js';
import type { Operation } from './operation-kinds.js';
import { awaitSignal, isRepeated, sendSignal, withdrawWait } from './decide-signals.js';

/** Who answers a question that is withdrawn. */
const WITHDRAWN = 'withdrawal';

/** A task is not started alone more often than this when it is unknown how the process ended: the whole container died. */
const MAX_TRIALS_ALONE = 2;

/**
 * The events that `command` causes in `state`, possibly none.
 *
 * @throws CommandRejected when the command is not allowed; nothing must be appended then.
 */
export function decide(command: TaskCommand, state: TaskState): readonly TaskEvent[] {
  if (command.type === 'CreateTask') {
    if (state.version > 0) throw new CommandRejected('TASK_EXISTS', 'The task exists already.');
    return [{ type: 'TaskCreated', at: command.at, data: command.task }, ...(command.recorded ?? [])];
  }
  if (state.version === 0) throw new CommandRejected('TASK_NOT_FOUND', 'There is no such task.');
  if (isRepeated(command, state)) return [];
  if (state.outcome !== undefined) throw new CommandRejected('TASK_ENDED', 'The task has ended.');
  switch (command.type) {
    case 'CancelTask': {
      const reason = command.reason === undefined ? {} : { reason: command.reason };
      return [{ type: 'TaskCancelled', at: command.at, data: { ...reason, by: command.by } }];
    }
    case 'FailPermanently':
      return [{ type: 'TaskFailed', at: command.at, data: { error: command.error } }];
    case 'ExpireTask':
      return expire(command.at, state);
    case 'DetachTask':
      return detach(command, state);
    case 'ProvideInput':
      return provideInput(command, state);
    case 'RefuseAnswer':
      return refuseAnswer(command, state);
    case 'EndChild':
      return endChild(command, state);
    case 'AskForChild':
      return askForChild(command, state);
    case 'ReportForChild':
      return reportForChild(command, state);
    case 'SendSignal':
      return sendSignal(command, state);
    case 'ClaimPass':
      return claimPass(command, state);
    default:
      if (state.pass.phase !== 'running' || state.epoch !== command.epoch)
        throw new CommandRejected('FENCED', `Epoch ${command.epoch} no longer holds the task; it is at epoch ${state.epoch}.`);
      return duringPass(command, state);
  }
}

/** The events of several commands, each decided in the state that the ones before it lead to. */
export function decideAll(commands: readonly TaskCommand[], state: TaskState): { events: readonly TaskEvent[]; state: TaskState } {
  const events: TaskEvent[] = [];
  const draft = draftOf(state);
  for (const command of commands)
    for (const event of decide(command, draft)) {
      apply(draft, event);
      events.push(event);
    }
  return { events, state: draft };
}

function detach({ type: _type, at, ...data }: DetachTask, { task, detachedAt }: TaskState): readonly TaskEvent[] {
  return task?.implicit === true && detachedAt === undefined ? [{ type: 'TaskDetached', at, data }] : [];
}

function provideInput({ at, key, answer, via }: ProvideInput, state: TaskState): readonly TaskEvent[] {
  const operation = state.operations.get(key);
  if (operation?.kind !== 'input') throw new CommandRejected('UNKNOWN_INPUT', `The task never asked for input "${key}".`);
  if (operation.status === 'answered') return []; // The first answer won.
  return [{ type: 'InputReceived', at, data: { key, answer: fittingAnswer(operation, answer), via } }];
}

/** A question is asked again a few times, and once for each time that it was asked: a client may send the same answer twice. */
function refuseAnswer({ at, key, reason, via, refusedBefore }: RefuseAnswer, state: TaskState): readonly TaskEvent[] {
  const operation = state.operations.get(key);
  if (operation?.kind !== 'input' || operation.status !== 'pending') return [];
  const { times } = operation.refused ?? { times: 0 };
  return times === refusedBefore && times < MAX_ASKED_AGAIN ? [{ type: 'AnswerRefused', at, data: { key, reason, via } }] : [];
}

/** A question that is taken back is answered: by an error, for the workflow as for everybody who looks on. */
function withdrawal(reason: string): InputAnswer {
  return { error: { code: JsonRpcCode.InternalError, message: `The question was withdrawn: ${reason}` } };
}

function expire(at: number, state: TaskState): readonly TaskEvent[] {
  const deadline = nextDeadline(state);
  if (deadline === undefined || deadline.at > at) return [];
  return [
    {
      type: 'TaskFailed',
      at,
      data: { error: { code: JsonRpcCode.InternalError, message: deadline.message, data: { reason: deadline.reason } } },
    },
  ];
}

function claimPass({ at, pass, workerId, version, trial }: ClaimPass, state: TaskState): readonly TaskEvent[] {
  const { alone } = state.trials;
  const optional = { ...(version !== undefined && { version }), ...(trial !== undefined && { trial }) };
  const data = { pass, epoch: state.epoch + 1, workerId, attempt: state.attempt, ...optional };
  const started: TaskEvent = { type: 'PassStarted', at, data };
  if (trial === 'alone' && alone >= MAX_TRIALS_ALONE) return [{ type: 'TaskFailed', at, data: { error: lostWithoutATrace(alone) } }];
  if (state.pass.phase === 'running') {
    if (pass === state.passNumber) return [started];
    throw new CommandRejected('PASS_NOT_DUE', `Pass ${pass} is not due; pass ${state.passNumber} is running.`);
  }
  const next = nextPass(state);
  if (next === undefined || next.pass !== pass || !mayStart(next, at))
    throw new CommandRejected('PASS_NOT_DUE', `Pass ${pass} is not due.`);
  return [...dueTimers(state, at), started];
}

function lostWithoutATrace(alone: number): TaskFailure {
  const message = `The task failed permanently: it ran alone in a process ${alone} times, and nothing is known of how that process ended.`;
  return { code: JsonRpcCode.InternalError, message, data: { reason: 'WORKER_LOST' } };
}

function dueTimers(state: TaskState, at: number): readonly TaskEvent[] {
  return [...state.operations]
    .filter(([, operation]) => operation.status === 'scheduled' && operation.dueAt <= at)
    .map(([key]) => ({ type: 'TimerFired' as const, at, data: { key } }));
}

function duringPass(command: PassCommand, state: TaskState): readonly TaskEvent[] {
  const { at } = command;
  switch (command.type) {
    case 'SuspendPass':
      for (const key of command.waitingFor) known(state, key);
      return [{ type: 'PassSuspended', at, data: { pass: state.passNumber, ...suspension(command) } }];
    case 'FailPass':
      return [
        {
          type: 'PassFailed',
          at,
          data: { pass: state.passNumber, error: command.error, attempt: state.attempt, retryAt: command.retryAt },
        },
      ];
    case 'ContinueAsNew':
      return [continued(command.arguments, at, state)];
    case 'CompleteTask': {
      const { type: _type, at: _at, epoch: _epoch, ...data } = command;
      return [{ type: 'TaskCompleted', at, data }];
    }
    case 'FailTask': {
      const { type: _type, at: _at, epoch: _epoch, ...data } = command;
      return [{ type: 'TaskFailed', at, data }];
    }
    default:
      return recordOperation(command, state);
  }
}

function suspension({ waitingFor, patience }: PassCommand & { readonly type: 'SuspendPass' }) {
  return { waitingFor, ...(patience !== undefined && { patience }) };
}

function continued(args: JsonObject, at: number, state: TaskState): TaskEvent {
  const { version, task, createdAt, passNumber: pass, epoch, notifiedAt, detachedAt, signals } = state;
  const { statusMessage, progress, progressAt, exposed, spent } = state;
  if (task === undefined) throw new CommandRejected('TASK_NOT_FOUND', 'There is no such task.');
  const reports = {
    ...(statusMessage !== undefined && { statusMessage }),
    ...(progress !== undefined && { progress, progressAt }),
    ...(exposed !== undefined && { exposed }),
    ...(spent !== undefined && { spent }),
  };
  const reached = {
    ...(notifiedAt > 0 && { notifiedAt }),
    ...(detachedAt !== undefined && { detachedAt }),
    ...(signals.sent > 0 && { signals }),
  };
  const kept = { task: { ...task, arguments: args }, createdAt, pass, epoch, ...reports, ...reached };
  return { type: 'TaskContinued', at, data: { version: version + 1, ...kept } };
}

type OperationCommand = Exclude<PassCommand, { type: 'SuspendPass' | 'FailPass' | 'ContinueAsNew' | 'CompleteTask' | 'FailTask' }>;

function recordOperation(command: OperationCommand, state: TaskState): readonly TaskEvent[] {
  if (isOfChild(command)) return duringChild(command, state);
  const { type: _type, at, epoch: _epoch, ...data } = command;
  switch (command.type) {
    case 'StartStep':
      open(state, command.key, 'retrying');
      return [{ type: 'StepStarted', at, data: data as typeof command }];
    case 'CompleteStep':
      open(state, command.key, 'retrying');
      return [
        ...(command.large !== undefined && state.largeBytes === 0 ? [largeValuesKept(at)] : []),
        { type: 'StepCompleted', at, data: data as typeof command },
      ];
    case 'FailStep':
      open(state, command.key, 'retrying');
      return [{ type: 'StepFailed', at, data: data as typeof command }];
    case 'RequestInput':
      open(state, command.key);
      return [{ type: 'InputRequested', at, data: data as typeof command }];
    case 'WithdrawInput':
      return provideInput({ type: 'ProvideInput', at, key: command.key, answer: withdrawal(command.reason), via: WITHDRAWN }, state);
    case 'ScheduleTimer':
      open(state, command.key);
      return [{ type: 'TimerScheduled', at, data: data as typeof command }];
    case 'FireTimer':
      return known(state, command.key).status === 'scheduled' ? [{ type: 'TimerFired', at, data: data as typeof command }] : [];
    case 'AwaitSignal':
      open(state, command.key);
      return awaitSignal(command, state);
    case 'WithdrawWait':
      return withdrawWait(command, state);
    case 'ReportStatus':
      return command.seq >= state.statusSeq ? [{ type: 'StatusReported', at, data: data as typeof command }] : [];
    case 'ReportSpending':
      return (command.seq ?? Infinity) > state.spendSeq ? [{ type: 'SpendingReported', at, data: data as typeof command }] : [];
    case 'SendNotification':
      return command.seq >= state.notificationSeq ? [{ type: 'NotificationSent', at, data: data as typeof command }] : [];
    case 'ExposeValue':
      return command.seq >= state.exposedSeq ? [{ type: 'ValueExposed', at, data: data as typeof command }] : [];
    case 'ReportProgress': {
      const forward = command.seq > state.progressSeq && command.progress >= (state.progress?.progress ?? Number.NEGATIVE_INFINITY);
      return forward ? [{ type: 'ProgressReported', at, data: data as typeof command }] : [];
    }
  }
}

function open(state: TaskState, key: string, reusable?: Operation['status']): void {
  const operation = state.operations.get(key);
  if (operation !== undefined && operation.status !== reusable)
    throw new CommandRejected('KEY_IN_USE', `Operation "${key}" is already recorded as a ${operation.kind} (${operation.status}).`);
}

function known(state: TaskState, key: string): Operation {
  const operation = state.operations.get(key);
  if (operation === undefined) throw new CommandRejected('UNKNOWN_KEY', `There is no operation "${key}".`);
  return operation;
}
