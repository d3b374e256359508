import { fold } from '../domain/evolve.js';
import type { TaskState } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import { TaskError } from '../errors.js';
import type { EventStore } from '../store/event-store.js';
import { historyPages } from '../store/read-history.js';
import { type HistoryPlace, type HistoryRoom, SMALL_BYTES } from './history-room.js';

/** A task's state after all events, and the place that its history takes in memory: to be left by the caller. */
export interface LoadedHistory {
  readonly state: TaskState;
  readonly place: HistoryPlace;
}

/**
 * Reads and folds a history. A short one takes one round trip; for a long one there has to be room first.
 *
 * @throws TaskError `HISTORY_UNREADABLE`; `HISTORY_TOO_LARGE` for a history that this process could never hold;
 *   `STORE_UNAVAILABLE`; the reason of `signal` when it aborts while the history waits for room
 */
export async function loadHistory(
  events: Pick<EventStore, 'readPage'>,
  room: HistoryRoom,
  taskId: TaskId,
  signal: AbortSignal,
): Promise<LoadedHistory> {
  const first = await events.readPage(taskId, 0, SMALL_BYTES);
  if (first.historyBytes > room.largestBytes)
    throw new TaskError('HISTORY_TOO_LARGE', `The history has ${first.historyBytes} bytes; a worker can hold ${room.largestBytes}.`);
  const place = await room.enter(first.isLast ? 0 : first.historyBytes, signal);
  try {
    let state = fold(first.events);
    if (!first.isLast) for await (const page of historyPages(events, taskId, state.version)) state = fold(page, state);
    return { state, place };
  } catch (error) {
    place.leave();
    throw error;
  }
}
