/**
 * Re-runs the rules of the domain over a stream: every event must be the decision of `decide` on some command in the state before it. So
 * nothing follows the end, epochs rise one by one, no key is settled twice.
 */
import { isDeepStrictEqual } from 'node:util';
import { type TaskEvent, wholeMs } from '@longhaul/tasks';
import {
  decide,
  fold,
  initialState,
  misfitOf,
  nextDeadline,
  relayedFrom,
  type TaskCommand,
  type TaskEventOf,
  type TaskState,
} from '@longhaul/tasks/testing';

/** An event, and the lease epoch under which it was appended, if that is known. */
export interface StoredTaskEvent {
  readonly event: TaskEvent;
  readonly epoch?: number;
}

/** The faults of a stream; empty when it is legal. */
export function illegalities(stream: readonly StoredTaskEvent[]): readonly string[] {
  const [first] = stream;
  const found: string[] = [];
  // The events before a continuation are in another stream.
  const isContinued = first?.event.type === 'TaskContinued';
  let state = isContinued ? fold([first.event]) : initialState;
  for (let index = isContinued ? 1 : 0; index < stream.length;) {
    const command = commandBehind(stream, index, state);
    const decided = decideOrSay(command, state);
    const events = stream.slice(index, index + Math.max(1, decided.events.length)).map(({ event }) => event);
    if (!isDeepStrictEqual(plain(decided.events), plain(events)))
      found.push(`version ${index + 1}, ${events[0]?.type}: ${decided.problem ?? `decide says ${JSON.stringify(decided.events)}`}`);
    state = fold(events, state);
    index += events.length;
  }
  return found;
}

function decideOrSay(command: TaskCommand, state: TaskState): { events: readonly TaskEvent[]; problem?: string } {
  try {
    return { events: decide(command, state) };
  } catch (error) {
    return { events: [], problem: error instanceof Error ? error.message : String(error) };
  }
}

function plain(events: readonly TaskEvent[]): unknown {
  return JSON.parse(JSON.stringify(events));
}

/** The command that must have led to the event, and perhaps to those after it. */
function commandBehind(stream: readonly StoredTaskEvent[], index: number, state: TaskState): TaskCommand {
  const { event, epoch = state.epoch } = stream[index] as StoredTaskEvent;
  const { at } = event;
  switch (event.type) {
    case 'TaskCreated':
      return { type: 'CreateTask', at, task: event.data, recorded: event.data.forkedFrom === undefined ? [] : copiedAfter(stream, index) };
    case 'InputReceived':
      return { type: 'ProvideInput', at, ...event.data };
    case 'AnswerRefused': {
      const asked = state.operations.get(event.data.key);
      const refusedBefore = asked?.kind === 'input' && asked.status === 'pending' ? (asked.refused?.times ?? 0) : 0;
      return { type: 'RefuseAnswer', at, ...event.data, refusedBefore };
    }
    case 'SignalSent': {
      const { seq: _seq, ...sent } = event.data;
      return { type: 'SendSignal', at, ...sent, misfitOf };
    }
    case 'TaskDetached':
      return { type: 'DetachTask', at, ...event.data };
    case 'LargeValuesKept':
      // It comes with the event that refers to one.
      return commandBehind(stream, index + 1, state);
    case 'TaskCancelled':
      return { type: 'CancelTask', at, ...event.data };
    case 'PassStarted':
      return claimOf(event.data, at);
    case 'TimerFired': {
      // A claim fires the timers that are due; a running pass fires its own.
      if (state.pass.phase === 'running') return { type: 'FireTimer', at, epoch, ...event.data };
      const start = stream.slice(index).find((later) => later.event.type === 'PassStarted')?.event;
      return claimOf(start?.type === 'PassStarted' ? start.data : { pass: 0, epoch: 0, attempt: 0, workerId: '' }, at);
    }
    case 'TaskFailed':
      return isExpiry(event.data.error.data, state, at) ? { type: 'ExpireTask', at } : { type: 'FailPermanently', at, ...event.data };
    case 'InputRequested':
      return askedFor(event, state) ?? passCommand(event, epoch);
    case 'ChildEnded': {
      const child = state.operations.get(event.data.key);
      // A pass that created none has settled it itself.
      if (child?.kind === 'child' && child.status === 'starting' && state.pass.phase === 'running')
        return { type: 'SettleChild', at, epoch, ...event.data };
      return { type: 'EndChild', at, ...event.data, taskId: child?.kind === 'child' ? child.taskId : '' };
    }
    default:
      return passCommand(event, epoch);
  }
}

/** A question that the task asks for one of its children. */
function askedFor({ at, data }: TaskEventOf<'InputRequested'>, { operations }: TaskState): TaskCommand | undefined {
  const from = relayedFrom(data.key);
  if (from === undefined) return undefined;
  const [key = '', child] = [...operations].find(([childKey, { kind }]) => kind === 'child' && from.isOf(childKey)) ?? [];
  const input = { key: from.inputKey, method: data.method, params: data.params };
  return { type: 'AskForChild', at, key, taskId: child?.kind === 'child' ? child.taskId : '', input };
}

/** The part of a fork that comes from its origin: all events before the first work on the fork. */
function copiedAfter(stream: readonly StoredTaskEvent[], index: number): readonly TaskEvent[] {
  const own = new Set<TaskEvent['type']>(['PassStarted', 'TaskFailed', 'TaskCancelled']);
  const later = stream.slice(index + 1).map(({ event }) => event);
  const end = later.findIndex(({ type }) => own.has(type));
  return end < 0 ? later : later.slice(0, end);
}

function claimOf(data: TaskEventOf<'PassStarted'>['data'], at: number): TaskCommand {
  const { epoch: _epoch, attempt: _attempt, ...claim } = data;
  return { type: 'ClaimPass', at, ...claim };
}

function awaited({ dueAt, ...data }: TaskEventOf<'SignalAwaited'>['data']) {
  return { ...data, ...(dueAt !== undefined && { dueAt: wholeMs(dueAt) }) };
}

function isExpiry(data: unknown, state: TaskState, at: number): boolean {
  const deadline = nextDeadline(state);
  return deadline !== undefined && deadline.at <= at && isDeepStrictEqual(data, { reason: deadline.reason });
}

type Handled =
  | 'TaskCreated'
  | 'InputReceived'
  | 'AnswerRefused'
  | 'SignalSent'
  | 'TaskDetached'
  | 'TaskCancelled'
  | 'PassStarted'
  | 'TimerFired'
  | 'TaskFailed'
  | 'ChildEnded'
  | 'LargeValuesKept';

function passCommand(event: Exclude<TaskEvent, { type: Handled }>, epoch: number): TaskCommand {
  const { at } = event;
  switch (event.type) {
    case 'StepStarted':
      return { type: 'StartStep', at, epoch, ...event.data };
    case 'StepCompleted':
      return { type: 'CompleteStep', at, epoch, ...event.data };
    case 'StepFailed': {
      const { retryAt, ...data } = event.data;
      return { type: 'FailStep', at, epoch, ...data, ...(retryAt !== undefined && { retryAt: wholeMs(retryAt) }) };
    }
    case 'InputRequested':
      return { type: 'RequestInput', at, epoch, ...event.data };
    case 'ChildStarted':
      return { type: 'StartChild', at, epoch, ...event.data };
    case 'ChildDelayed':
      return { type: 'DelayChild', at, epoch, ...event.data, retryAt: wholeMs(event.data.retryAt) };
    case 'ChildCreated':
      return { type: 'ConfirmChild', at, epoch, ...event.data };
    case 'ChildDetached':
      return { type: 'DetachChild', at, epoch, ...event.data };
    case 'TimerScheduled':
      return { type: 'ScheduleTimer', at, epoch, ...event.data, dueAt: wholeMs(event.data.dueAt) };
    case 'SignalAwaited':
      return { type: 'AwaitSignal', at, epoch, ...awaited(event.data), misfitOf };
    // It comes with its signal or with its wait, and never alone.
    case 'SignalReceived':
      return { type: 'FireTimer', at, epoch, key: event.data.key };
    case 'WaitWithdrawn':
      return { type: 'WithdrawWait', at, epoch, ...event.data };
    case 'StatusReported':
      return { type: 'ReportStatus', at, epoch, ...event.data };
    case 'ProgressReported':
      return { type: 'ReportProgress', at, epoch, ...event.data };
    case 'ValueExposed':
      return { type: 'ExposeValue', at, epoch, ...event.data };
    case 'SpendingReported':
      return { type: 'ReportSpending', at, epoch, ...event.data };
    case 'NotificationSent':
      return { type: 'SendNotification', at, epoch, ...event.data };
    case 'PassSuspended':
      return { type: 'SuspendPass', at, epoch, ...partsOf(event.data) };
    case 'PassFailed':
      return { type: 'FailPass', at, epoch, error: event.data.error, retryAt: wholeMs(event.data.retryAt) };
    case 'TaskContinued':
      return { type: 'ContinueAsNew', at, epoch, arguments: event.data.task.arguments };
    case 'TaskCompleted':
      return { type: 'CompleteTask', at, epoch, ...event.data };
  }
}

/** Without the number of the pass, which is not part of the command. */
function partsOf({ pass: _pass, ...parts }: TaskEventOf<'PassSuspended'>['data']): Omit<TaskEventOf<'PassSuspended'>['data'], 'pass'> {
  return parts;
}
