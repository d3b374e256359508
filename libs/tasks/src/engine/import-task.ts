/**
 * Makes a task of a history that was exported, here or by another deployment: for operators, who can look at it and do it again. It has
 * ended, so nothing of it ever runs, and it is in no owner's list and counts under no owner: only an operator sees it.
 *
 * It is written with one append, so that the task never exists without its end.
 */
import { randomUUID } from 'node:crypto';
import { beginningOf, withoutCaller } from '../domain/beginning.js';
import { largeValueOf } from '../domain/large-value.js';
import { decideAll } from '../domain/decide.js';
import { isEnd, kindOf } from '../domain/event-kinds.js';
import type { TaskCreatedData, TaskEvent } from '../domain/events.js';
import { stepKeysOf } from '../domain/step-keys.js';
import { isTaskId, type TaskId } from '../domain/task-id.js';
import { rowOf } from '../domain/projections/task-row.js';
import { project } from '../domain/projections/project.js';
import type { TaskProjection, TaskView } from '../domain/projections/task-view.js';
import { initialState, type TaskState } from '../domain/state.js';
import { TaskError } from '../errors.js';
import { MAX_TTL_MS } from '../limits.js';
import type { TaskStore } from '../ports/task-store.js';
import type { KeepTimes } from '../ports/keep-times.js';
import { type StoredEvent, storedBytes, toStored } from '../ports/stored-event.js';
import { searchKeysOf } from './search-keys.js';
import type { ExportedHistory, ImportTerms, NumberedEvent } from './operator-service.js';

/** The largest imported history: a store writes it at once. */
export const MAX_IMPORT_BYTES = 16 * 1024 * 1024;
/** It is kept at least this long, milliseconds. */
const MIN_KEPT_MS = 24 * 3_600_000;

/** Dependencies of an import. */
export interface ImportDeps {
  readonly store: Pick<TaskStore, 'events' | 'capacity' | 'keep' | 'codec'>;
  readonly clock: () => number;
}

/**
 * Imports a history under the id that it had, or under another one when that is in use.
 *
 * @throws TaskError `HISTORY_UNREADABLE` naming the event if the history is not valid or has not ended; `STORE_FULL`, `STORE_UNAVAILABLE`
 */
export async function importTask({ store, clock }: ImportDeps, history: ExportedHistory, { by, check }: ImportTerms): Promise<TaskView> {
  const begun = beginningOf(history.events[0]);
  const searchKeys = begun === undefined ? [] : await searchKeysOf(store.codec, begun.task);
  const { events, state, created } = readHistory(history, { by, at: clock(), searchKeys });
  check?.({ ...projectionOf(newId(), state, store.keep), created });
  const stored = events.map((event) => toStored(event));
  const bytes = storedBytes(stored);
  if (bytes > MAX_IMPORT_BYTES) throw unreadable(`events: they take ${bytes} bytes; at most ${MAX_IMPORT_BYTES} can be imported`);
  return store.capacity.admit('creation', bytes, () => write(store, history.taskId, state, stored));
}

async function write(
  { events, keep }: ImportDeps['store'],
  wantedId: string,
  state: TaskState,
  stored: readonly StoredEvent[],
): Promise<TaskView> {
  const isFree = isTaskId(wantedId) && (await events.views([wantedId], 'operator'))[0] === undefined;
  for (let taskId = isFree ? wantedId : newId(); ; taskId = newId()) {
    const projection = projectionOf(taskId, state, keep);
    const { view } = projection;
    const request = { taskId, expectedVersion: 0, events: stored, projection, epochAfter: state.epoch, row: rowOf(view) };
    // Otherwise another import has taken the id since then.
    if ((await events.append(request)) === 'appended') return view;
  }
}

function newId(): TaskId {
  return randomUUID() as TaskId;
}

function projectionOf(taskId: TaskId, state: TaskState, { endedMs, failedMs }: KeepTimes): TaskProjection {
  const { view, ...outcome } = project(taskId, state);
  return { view: { ...view, keptMs: Math.max(endedMs, failedMs, MIN_KEPT_MS) }, ...outcome };
}

function readHistory(
  { taskId, events: given }: ExportedHistory,
  { by, at, searchKeys }: { readonly by: string; readonly at: number; readonly searchKeys: readonly string[] },
): { readonly events: readonly TaskEvent[]; readonly state: TaskState; readonly created: TaskCreatedData } {
  const begun = beginningOf(given[0]);
  if (begun === undefined) throw unreadable('events[0].type: the first event must be TaskCreated or TaskContinued');
  const wrong = given.findIndex(({ version }, index) => version !== begun.version + index);
  if (wrong !== -1) throw unreadable(`events[${wrong}].version: must be ${begun.version + wrong}, is ${given[wrong]?.version}`);
  const again = given.findIndex(({ type }, index) => index > 0 && kindOf(type)?.role === 'begins');
  if (again !== -1) throw unreadable(`events[${again}].type: only the first event can be ${given[again]?.type}`);
  // A history that was continued as new begins with 1 here, because nothing precedes it.
  const recorded = given.slice(1).map((event) => moved(event, begun.version - 1));
  const origin = withoutCaller(begun.task);
  const keys = origin.imported?.stepKeysOf ?? stepKeysOf(taskId, origin.forkedFrom, begun.version - 1);
  const imported = { taskId, stepKeysOf: keys, at, by };
  const task = {
    ...origin,
    ttlMs: Math.min(origin.ttlMs, MAX_TTL_MS.most),
    ...(origin.searchable !== undefined && { searchKeys }),
    imported,
  };
  const { events, state } = decided({ type: 'CreateTask', at: given[0]?.at ?? 0, task, recorded });
  const apart = given.findIndex((event) => largeValueOf(event) !== undefined);
  if (apart !== -1) throw unreadable(`events[${apart}].data: it refers to a large value, which is kept apart and is not in the document`);
  const end = given.findIndex(({ type }) => isEnd(type));
  if (end === -1) throw unreadable('events: the last event must be the end of the task: only a task that has ended can be imported');
  if (end < given.length - 1) throw unreadable(`events[${end + 1}]: nothing can follow the end of a task`);
  return { events, state, created: task };
}

function decided(command: Parameters<typeof decideAll>[0][number]): ReturnType<typeof decideAll> {
  try {
    return decideAll([command], initialState);
  } catch (cause) {
    throw unreadable(`events: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** Without its number, and unchanged when the events before the stream are missing. */
function moved({ version: _version, ...event }: NumberedEvent, by: number): TaskEvent {
  if (by === 0 || !('startedAfter' in event.data) || event.data.startedAfter === undefined) return event;
  return { ...event, data: { ...event.data, startedAfter: event.data.startedAfter - by } } as TaskEvent;
}

function unreadable(what: string): TaskError {
  return new TaskError('HISTORY_UNREADABLE', `This is no history that can be imported: ${what}.`);
}
