/**
 * Makes the timeline of a task, for people: its passes, its operations with each of their tries, its waits in between, and the plain
 * call that it has left. Everything follows from the events, so that it is the same wherever it is shown; spans of traces take their times and, with the task's id and the
 * versions here, their ids from it.
 */
import type { RecordedError } from '../json.js';
import type { TypeOfRole } from '../event-kinds.js';
import type { TaskEvent, TaskEventOf, Trial } from '../events.js';
import { type OperationSpan, Operations } from './timeline-operations.js';
import { type WaitSpan, Waits } from './timeline-waits.js';

/**
 * How a pass ended: `lost` when another worker took it over; `released` when its worker gave the task back; `cancelled` and `failed`
 * also when the task was ended from outside while the pass ran; `retrying` when the workflow threw and is tried again.
 */
export type PassEnding = 'completed' | 'continued' | 'suspended' | 'released' | 'retrying' | 'failed' | 'cancelled' | 'lost';

/** One pass of one worker. Times are epoch milliseconds. */
export interface PassSpan {
  /** Version of its first event. */
  readonly version: number;
  readonly pass: number;
  readonly epoch: number;
  readonly workerId: string;
  /** Version of the worker's deployment. */
  readonly deployment?: string;
  /** The attempt of the workflow. */
  readonly attempt: number;
  readonly trial?: Trial;
  readonly startedAt: number;
  /** Absent while it runs. Of a pass that was lost: when another one began, because its real end is unknown. */
  readonly endedAt?: number;
  readonly ending?: PassEnding;
  /** With which the workflow failed. */
  readonly error?: RecordedError;
}

/** The plain call that made a task, up to when the task left it. Times are epoch milliseconds. */
export interface CallSpan extends Omit<TaskEventOf<'TaskDetached'>['data'], 'afterMs'> {
  /** Version of the event. */
  readonly version: number;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The story of a task. */
export interface Timeline {
  readonly passes: readonly PassSpan[];
  /** In the order in which they first come in the record. */
  readonly operations: readonly OperationSpan[];
  readonly waits: readonly WaitSpan[];
  /** Of a task that has left its call. */
  readonly call?: CallSpan;
}

type Open<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The timeline of a history.
 *
 * @param events of a task from its first one on, or from the one with which it was continued as new
 */
export function timelineOf(events: readonly TaskEvent[]): Timeline {
  const fold = new TimelineFold();
  for (const event of events) fold.take(event);
  return fold.timeline;
}

/** The same, event by event: nothing is kept of what steps returned, so that a history may be far larger than its timeline. */
export class TimelineFold {
  private readonly passes: Open<PassSpan>[] = [];
  private readonly operations = new Operations();
  private readonly waits = new Waits(this.operations);
  private call: CallSpan | undefined;
  private version = 0;

  /** The timeline by now. */
  get timeline(): Timeline {
    const { passes, operations, waits, call } = this;
    return { passes, operations: operations.spans, waits: waits.spans, ...(call !== undefined && { call }) };
  }

  take(event: TaskEvent): void {
    const { passes } = this;
    this.version = event.type === 'TaskContinued' ? event.data.version : this.version + 1;
    const running = passes.at(-1)?.ending === undefined ? passes.at(-1) : undefined;
    const ending = endingOf(event);
    if (running !== undefined && ending !== undefined) Object.assign(running, ending, { endedAt: event.at });
    if (event.type === 'PassStarted') passes.push(passOf(event, this.version));
    if (event.type === 'TaskDetached') this.call = callOf(event, this.version);
    this.operations.take(event, this.version, passes.length === 0);
    this.waits.take(event);
  }
}

function passOf({ at, data }: TaskEventOf<'PassStarted'>, version: number): PassSpan {
  const { pass, epoch, workerId, attempt, version: deployment, trial } = data;
  const optional = { ...(deployment !== undefined && { deployment }), ...(trial !== undefined && { trial }) };
  return { version, pass, epoch, workerId, ...optional, attempt, startedAt: at };
}

function callOf({ at, data: { afterMs, ...rest } }: TaskEventOf<'TaskDetached'>, version: number): CallSpan {
  return { version, startedAt: at - afterMs, endedAt: at, ...rest };
}

/** How a pass that runs is ended by an event of the type. */
const ENDINGS: Readonly<Record<TypeOfRole<'begins' | 'starts' | 'rests' | 'ends'>, PassEnding>> = {
  TaskCreated: 'continued',
  TaskContinued: 'continued',
  PassStarted: 'lost',
  PassSuspended: 'suspended',
  PassFailed: 'retrying',
  TaskCompleted: 'completed',
  TaskFailed: 'failed',
  TaskCancelled: 'cancelled',
};

function endingOf({ type, data }: TaskEvent): Pick<PassSpan, 'ending' | 'error'> | undefined {
  if (type === 'PassSuspended' && data.waitingFor.length === 0) return { ending: 'released' };
  if (type === 'PassFailed') return { ending: ENDINGS[type], error: data.error };
  return Object.hasOwn(ENDINGS, type) ? { ending: ENDINGS[type as keyof typeof ENDINGS] } : undefined;
}
