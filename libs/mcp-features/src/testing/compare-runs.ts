/** Compares two runs of a tool: first the records, in their order, and then the end. */
import { shortened } from '@longhaul/tasks/text';
import { isDeepStrictEqual } from 'node:util';
import { EVENT_KINDS, type OperationEvent, type TaskEvent } from '@longhaul/tasks';
import type { SimulatedRun } from '@longhaul/tasks/simulation';
import { operationName } from './tool-run.js';

/** The first thing that differs. */
export interface Difference {
  /** Whether it is the value or the error of a step, which may differ by itself: a step may draw an id, or read a time. */
  readonly isOfStep: boolean;
  readonly text: string;
}

interface Recorded {
  readonly label: string;
  readonly isOfStep: boolean;
  readonly value: unknown;
}

/** The runs that are compared. */
export interface ComparedRuns {
  readonly reference: SimulatedRun;
  readonly other: SimulatedRun;
  /** A second run like the reference: what differs between these two is not looked at. @defaultValue everything is */
  readonly control?: SimulatedRun;
}

/** The first difference between two runs, if there is one. */
export function differenceOf({ reference, other, control = reference }: ComparedRuns): Difference | undefined {
  const [expected, found, controlled] = [recordOf(reference), recordOf(other), recordOf(control)];
  for (const [key, { label, isOfStep, value }] of expected) {
    const [there, again] = [found.get(key), controlled.get(key)];
    if (again === undefined) continue;
    if (there === undefined) return { isOfStep: false, text: `${label} was not recorded, as it was undisturbed` };
    if (differs(value, there.value, again.value))
      return { isOfStep, text: `${label} was ${shown(there.value)}, and undisturbed ${shown(value)}` };
  }
  const [extra] = [...found].find(([key]) => !expected.has(key) && !controlled.has(key)) ?? [];
  if (extra !== undefined) return { isOfStep: false, text: `${found.get(extra)?.label} was recorded, as it was not undisturbed` };
  if (!differs(reference.outcome, other.outcome, control.outcome)) return undefined;
  const text = `the result was ${shown(other.outcome)}, and undisturbed ${shown(reference.outcome)}`;
  return { isOfStep: false, text: isDeepStrictEqual(timesOf(reference), timesOf(other)) ? text : `${text}; ${WAITED_AGAIN}` };
}

const WAITED_AGAIN = 'it was another time, because what a step waits by the clock it waits again when its worker dies';

/** The value of context.now(). It is not compared by itself: a killed worker costs time. */
function timesOf({ history }: SimulatedRun): unknown[] {
  return history.flatMap((event) => (event.type === 'StepCompleted' && isTime(event.data.key) ? [event.data.value] : []));
}

function isTime(key: string): boolean {
  return /^\$now(:\d+)?$/.test(key);
}

/** The records of each operation, by key. Records from before a task was continued as new have their own keys. */
function recordOf({ history }: SimulatedRun): Map<string, Recorded> {
  const recorded = new Map<string, Recorded>();
  let beginnings = 0;
  for (const event of history) {
    if (event.type === 'TaskContinued') beginnings += 1;
    const found = recordedBy(event);
    if (found === undefined || !('key' in event.data)) continue;
    const again = beginnings === 0 ? '' : ` (after ${beginnings} × continueAsNew)`;
    recorded.set(`${event.type} ${beginnings} ${event.data.key}`, { ...found, label: `${found.label}${again}` });
  }
  return recorded;
}

function recordedBy(event: TaskEvent): Recorded | undefined {
  const { role } = EVENT_KINDS[event.type];
  if (role !== 'opens' && role !== 'settles') return undefined;
  const { type, data } = event as OperationEvent;
  const { operation } = EVENT_KINDS[type];
  const name = operationName(operation, data.key);
  if (type === 'StepCompleted')
    return isTime(data.key)
      ? { label: name, isOfStep: false, value: undefined }
      : { label: `the value of ${name}`, isOfStep: true, value: 'value' in data ? data.value : undefined };
  if ('error' in data) return { label: `the error of ${name}`, isOfStep: true, value: data.error };
  // When it was due by the clock is no difference.
  if (role === 'opens') return { label: name, isOfStep: false, value: 'params' in data ? data.params : undefined };
  if ('outcome' in data) return { label: `the end of ${name}`, isOfStep: true, value: data.outcome };
  return 'answer' in data ? { label: `the answer to ${name}`, isOfStep: true, value: data.answer } : undefined;
}

/** Whether something of the value is another one, where it is the same in reference and control. */
function differs(reference: unknown, other: unknown, control: unknown): boolean {
  if (isDeepStrictEqual(reference, control)) return !isDeepStrictEqual(reference, other);
  if (!isObject(reference) || !isObject(control)) return false;
  if (!isObject(other)) return true;
  const names = new Set([...Object.keys(reference), ...Object.keys(other)]);
  return [...names].some((name) => differs(reference[name], other[name], control[name]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const MAX_LENGTH = 300;

function shown(value: unknown): string {
  return shortened(JSON.stringify(value) ?? 'nothing', MAX_LENGTH);
}
