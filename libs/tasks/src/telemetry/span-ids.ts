/**
 * Derives the ids of a task's spans. They follow from the task and its record, so that every process knows the id of a span before it is
 * reported. A step sends its own id to the systems that it calls, on any worker, and the worker that records the step reports the span
 * under the same id.
 */
import { hash } from 'node:crypto';
import type { TaskCreatedData } from '../domain/events.js';
import type { TaskState } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';

const TRACE_ID_LENGTH = 32;
const SPAN_ID_LENGTH = 16;
const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})/;

/** The trace of a task. */
export interface TaskTrace {
  readonly traceId: string;
  /** The span of the request that created the task, if that request had a span. */
  readonly parentSpanId?: string;
  /** Absent when the task was created without a trace. */
  readonly isSampled?: boolean;
  readonly tracestate?: string;
}

/** The trace that a task belongs to: the trace of the request that created it, otherwise its own. */
export function traceOfTask(taskId: TaskId, task: Pick<TaskCreatedData, 'trace' | 'traceState'> | undefined): TaskTrace {
  const [, traceId, parentSpanId, flags = ''] = TRACEPARENT.exec(task?.trace ?? '') ?? [];
  if (traceId === undefined || parentSpanId === undefined) return { traceId: hashOf(taskId, 'trace').slice(0, TRACE_ID_LENGTH) };
  const tracestate = task?.traceState;
  return {
    traceId,
    parentSpanId,
    isSampled: (Number.parseInt(flags, 16) & 1) === 1,
    ...(tracestate !== undefined && { tracestate }),
  };
}

/** The span of the whole task. */
export function taskSpanId(taskId: TaskId): string {
  return spanIdOf(taskId, 'task');
}

/** The span of a pass. Its epoch belongs to one claim: a pass that is taken over has another one. */
export function passSpanId(taskId: TaskId, epoch: number): string {
  return spanIdOf(taskId, `pass ${epoch}`);
}

/**
 * The span of a try of a step: it stays the same when the try was lost with its worker and is repeated. @param state before the record of
 * the try
 */
export function stepSpanId(taskId: TaskId, state: Pick<TaskState, 'runSince' | 'attempt'>, key: string, tried: number): string {
  return spanIdOf(taskId, `step ${state.runSince} ${state.attempt} ${tried} ${key}`);
}

/** The span of a wait for the client or for a time. @param since when the wait was recorded, epoch milliseconds */
export function waitSpanId(taskId: TaskId, key: string, since: number): string {
  return spanIdOf(taskId, `wait ${since} ${key}`);
}

/** A `traceparent` for what happens within a span of the task. */
export function traceparentOf({ traceId, isSampled = true }: TaskTrace, spanId: string): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

function spanIdOf(taskId: TaskId, what: string): string {
  return hashOf(taskId, what).slice(0, SPAN_ID_LENGTH);
}

function hashOf(taskId: TaskId, what: string): string {
  return hash('sha256', `${taskId} ${what}`, 'hex');
}
