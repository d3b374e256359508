/**
 * Makes a new task from a recorded one for an operator: whole or from a named step on, with the same arguments or with others. The origin
 * does not change; if it has not ended, it continues.
 *
 * The fork is a task of the same owner and session, and for its client it is like any other: it is in the owner's list, and counts among
 * the owner's unfinished tasks and bytes. It is counted in the owner's tasks per minute too, but not refused for that limit. The limit is
 * for tasks that a client begins, and would only hinder an operator who retries the failed tasks of an hour.
 */
import { isDeepStrictEqual } from 'node:util';
import { kindOf } from '../domain/event-kinds.js';
import type { TaskEvent } from '../domain/events.js';
import { createdWith, forkOf, operationKeys } from '../domain/fork.js';
import type { JsonObject } from '../domain/json.js';
import { mergePatch } from '../domain/merge-patch.js';
import type { TaskView } from '../domain/projections/task-view.js';
import { type LargeValue, largeValueOf } from '../domain/large-value.js';
import { isTaskId, type TaskId } from '../domain/task-id.js';
import { TaskError } from '../errors.js';
import type { EventStore } from '../ports/event-store.js';
import { historyPages } from '../ports/read-history.js';
import { isDrawnKey } from '../replay/context.js';
import { requirePlace, type ValueOwner } from '../ports/large-values.js';
import { createTask, type TaskCreation } from './create-task.js';
import { FOR_NEW_TASKS_MS } from './large-value-sweep.js';

/** Says which part of the origin is done again, and with which arguments. */
export interface ForkOptions {
  /**
   * `start`, or the first operation that is not taken over: the name of a step, a sleep or a question of the context (`$elicit`), which
   * for its second use is followed by `:2`, and so on. @defaultValue `start`
   */
  readonly from?: 'start' | { readonly step: string } | undefined;
  /** @defaultValue the arguments of the origin */
  readonly arguments?: JsonObject | undefined;
  /** A JSON merge patch (RFC 7396) on these arguments. */
  readonly patch?: JsonObject | undefined;
  /** Who makes it. @defaultValue nobody is named */
  readonly by?: string | undefined;
}

/** Keys of operations that one message names. */
const MAX_NAMED = 20;

/** With the largest number that every store takes. */
const UNMETERED = { tasksPerMinute: Number.MAX_SAFE_INTEGER };

/**
 * Makes a new task from a recorded one. Steps that run again have the idempotency keys that they had in the origin, unless the arguments
 * are others.
 *
 * Failure semantics: the fork is there with all that it takes over, or not at all.
 *
 * @param origin the id of the task
 * @throws TaskError `TASK_NOT_FOUND`; `UNKNOWN_STEP`, with the operations that there are; `HISTORY_GONE`, `HISTORY_UNREADABLE`;
 *   `TOO_MANY_TASKS`, `TOO_MANY_BYTES`, `STORE_FULL`
 */
export async function forkTask(creation: TaskCreation, origin: string, options: ForkOptions = {}): Promise<TaskView> {
  const { store, limitsOf } = creation;
  const { from = 'start' } = options;
  const step = from === 'start' ? undefined : from.step;
  const [view] = isTaskId(origin) ? await store.events.views([origin], 'operator') : [];
  if (view === undefined) throw new TaskError('TASK_NOT_FOUND', `There is no task "${origin}", or it has expired.`);
  const events = await eventsUntil(store.events, view, step);
  if (events.length === 0) throw new TaskError('HISTORY_GONE', `The events of task "${origin}" are gone: nothing can be made from it.`);
  const unknown = events.find(({ type }) => kindOf(type) === undefined);
  if (unknown !== undefined)
    throw new TaskError('HISTORY_UNREADABLE', `The task has an event ${unknown.type}, which this version does not have.`);
  const recordedWith = createdWith(events)?.arguments;
  const { arguments: given = options.patch && recordedWith, patch = {} } = options;
  const args = given && (mergePatch(given, patch) as JsonObject);
  // Arguments that are the same count as not given.
  const isChanged = !isDeepStrictEqual(args, recordedWith);
  const fork = forkOf(view.taskId, events, { step, arguments: isChanged ? args : undefined });
  if (fork === undefined) throw unknownStep(step ?? '', events);
  const { forkedFrom } = fork.task;
  const task = {
    ...fork.task,
    ...(forkedFrom !== undefined && options.by !== undefined && { forkedFrom: { ...forkedFrom, by: options.by } }),
  };
  const unmetered = { ...creation, limitsOf: (account: string) => ({ ...limitsOf(account), ...UNMETERED }) };
  if (!fork.recorded.some((event) => largeValueOf(event) !== undefined)) return createTask(unmetered, task, fork.recorded);
  const taskId = creation.newTaskId();
  const recorded = await withOwnValues(creation, view.taskId, fork.recorded, { taskId, owner: task.owner });
  return createTask({ ...unmetered, newTaskId: () => taskId }, task, recorded);
}

/** The events of the present stream as far as they are needed: the first one, all up to the record of the step, or all for their signals. */
async function eventsUntil(store: EventStore, { taskId, signals }: TaskView, step: string | undefined): Promise<readonly TaskEvent[]> {
  if (step === undefined && signals === undefined) return (await store.readPage(taskId, 0, 1)).events;
  const events: TaskEvent[] = [];
  for await (const page of historyPages(store, taskId)) {
    events.push(...page);
    if (signals === undefined && page.some(({ data }) => 'key' in data && data.key === step)) break;
  }
  return events;
}

/** The events with large values of the fork's own: those of the origin are gone with the origin. */
async function withOwnValues(
  { store: { values }, writer }: TaskCreation,
  origin: TaskId,
  events: readonly TaskEvent[],
  owner: ValueOwner,
): Promise<readonly TaskEvent[]> {
  const place = requirePlace(values);
  const begunAt = writer.now;
  const own: TaskEvent[] = [];
  for (const event of events) {
    const large = largeValueOf(event);
    own.push(large === undefined ? event : withLargeValue(event, await place.copy(origin, large, owner, place.newId(0))));
  }
  if (writer.now - begunAt > FOR_NEW_TASKS_MS / 2)
    throw new TaskError('VALUES_UNAVAILABLE', 'The large values of the task took too long to copy. Try again.');
  return own;
}

/** The event with another large value, of the same value. */
function withLargeValue(event: TaskEvent, large: LargeValue): TaskEvent {
  if (event.type !== 'ChildEnded') return { ...event, data: { ...event.data, large } } as TaskEvent;
  return { ...event, data: { ...event.data, outcome: { ...event.data.outcome, large } } } as TaskEvent;
}

function unknownStep(step: string, events: readonly TaskEvent[]): TaskError {
  const keys = operationKeys(events).filter((key) => !isDrawnKey(key));
  const more = keys.length > MAX_NAMED ? ` and ${keys.length - MAX_NAMED} more` : '';
  const named = keys.slice(0, MAX_NAMED).map((key) => `"${key}"`);
  const present = keys.length === 0 ? 'It has recorded none' : `It has recorded ${named.join(', ')}${more}`;
  const since = events.some(({ type }) => type === 'TaskContinued') ? ' since it was continued as new' : '';
  return new TaskError('UNKNOWN_STEP', `The task has no step "${step}"${since}. ${present}.`);
}
