/** Computes the bars that a timeline draws, in milliseconds since the epoch. */
import type { CallSpan, OperationSpan, PassSpan, TrySpan, WaitSpan } from '../../../src/answers.js';

/** How a bar looks, and what it means. */
export type Look = 'good' | 'bad' | 'busy' | 'lost' | 'waits' | 'ended';

export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly look: Look;
  /** Such as `attempt 2`; empty if the row names it. */
  readonly name: string;
  /** How it went, in words. */
  readonly text: string;
}

const PASS_LOOKS: Readonly<Record<NonNullable<PassSpan['ending']>, Look>> = {
  completed: 'good',
  continued: 'good',
  suspended: 'good',
  released: 'ended',
  retrying: 'bad',
  failed: 'bad',
  cancelled: 'ended',
  lost: 'lost',
};

const OPERATION_LOOKS: Readonly<Record<OperationSpan['status'], Look>> = {
  running: 'busy',
  waiting: 'waits',
  retrying: 'waits',
  completed: 'good',
  failed: 'bad',
  interrupted: 'ended',
};

const WAITED_FOR: Readonly<Record<WaitSpan['reason'], string>> = {
  queue: 'a worker',
  question: 'an answer',
  signal: 'a signal',
  timer: 'a time',
  retry: 'the next attempt',
  child: 'another task',
};

/** The reason of a wait in words; a gateway of a later version may send a reason that this page does not know. */
function waitedFor(reason: string): string {
  return Object.hasOwn(WAITED_FOR, reason) ? WAITED_FOR[reason as WaitSpan['reason']] : reason;
}

/** @param until the end of bars that have not ended, here and below */
export function barOfPass({ pass, workerId, deployment, startedAt, endedAt, ending, error }: PassSpan, until: number): Bar {
  const place = `at worker ${workerId}${deployment === undefined ? '' : `, version ${deployment}`}`;
  const how = ending === 'lost' ? 'its worker was lost' : (ending ?? 'runs');
  return {
    from: Date.parse(startedAt),
    to: timeOr(endedAt, until),
    look: ending === undefined ? 'busy' : PASS_LOOKS[ending],
    name: `pass ${pass}`,
    text: `${place}: ${how}${error === undefined ? '' : `, ${error.message}`}`,
  };
}

export function barOfWait({ reason, keys, startedAt, endedAt }: WaitSpan, until: number): Bar {
  const of = keys.length === 0 ? '' : ` (${keys.join(', ')})`;
  return { from: Date.parse(startedAt), to: timeOr(endedAt, until), look: 'waits', name: 'wait', text: `for ${waitedFor(reason)}${of}` };
}

const LEFT_BECAUSE: Readonly<Record<CallSpan['because'], string>> = {
  'handed-over': 'was answered with the task',
  abandoned: 'was given up by its client',
  followed: 'was left for the task by its client',
};

export function barOfCall({ because, how, reason, client, startedAt, endedAt }: CallSpan): Bar {
  const details = [client, how, reason].filter((text) => text !== undefined).join(', ');
  const text = `${LEFT_BECAUSE[because]}${details === '' ? '' : ` (${details})`}, and the task continued`;
  const look = because === 'abandoned' ? 'ended' : 'good';
  return { from: Date.parse(startedAt), to: Date.parse(endedAt), look, name: 'plain call', text };
}

/** The bars of an operation: one for each attempt of a step, each at its own time. */
export function barsOfOperation(operation: OperationSpan, until: number): readonly Bar[] {
  const { tries, isCopied } = operation;
  const bars = tries.length > 0 ? tries.map((one) => barOfTry(operation, one, until)) : [barOfWhole(operation, until)];
  return isCopied === true ? bars.map((bar) => ({ ...bar, look: 'ended', text: `${bar.text}, taken over from another task` })) : bars;
}

function barOfTry({ settledAt }: OperationSpan, { attempt, startedAt, endedAt, error, isLost }: TrySpan, until: number): Bar {
  const to = timeOr(endedAt ?? (isLost === true ? startedAt : undefined), until);
  const look: Look =
    isLost === true ? 'lost' : error !== undefined ? 'bad' : endedAt !== undefined || settledAt !== undefined ? 'good' : 'busy';
  const how = isLost === true ? 'lost with its pass' : (error?.message ?? (endedAt === undefined ? 'runs' : 'done'));
  return { from: timeOr(startedAt, to), to, look, name: `attempt ${attempt}`, text: how };
}

function barOfWhole({ status, startedAt, settledAt }: OperationSpan, until: number): Bar {
  const to = timeOr(settledAt, status === 'interrupted' ? timeOr(startedAt, until) : until);
  return { from: timeOr(startedAt, to), to, look: OPERATION_LOOKS[status], name: '', text: status };
}

function timeOr(at: string | undefined, otherwise: number): number {
  return at === undefined ? otherwise : Date.parse(at);
}
