import type { TaskEvent } from '../domain/events.js';
import { largeBytesOf } from '../domain/large-value.js';
import { fold } from '../domain/evolve.js';
import type { TaskState } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import { TaskError } from '../errors.js';
import type { EventStore } from '../ports/event-store.js';
import { historyPages } from '../ports/read-history.js';
import { heldBytes } from './held-bytes.js';
import { type HistoryShare, type HistoryRoom, SMALL_BYTES } from './history-room.js';

/** A task's state after all events, and the room that its history takes in memory: the caller must free it. */
export interface LoadedHistory {
  readonly state: TaskState;
  /** The size of the history in the store. */
  readonly bytes: number;
  readonly place: HistoryShare;
}

/**
 * Reads and folds a history. A short one takes one round trip; a long one waits for room first.
 *
 * @param isNew whether the task has probably not been run yet
 * @throws TaskError `HISTORY_UNREADABLE`; `HISTORY_TOO_LARGE` for a history that this process could never hold;
 *   `STORE_UNAVAILABLE`; the reason of `signal` when it aborts while the history waits for room
 */
export async function loadHistory(
  events: Pick<EventStore, 'readPage'>,
  room: HistoryRoom,
  taskId: TaskId,
  signal: AbortSignal,
  isNew = false,
): Promise<LoadedHistory> {
  const first = await events.readPage(taskId, 0, SMALL_BYTES, isNew);
  if (first.isLast) {
    const state = fold(first.events);
    if (state.largeBytes > room.largestBytes) throw tooLargeFor(room);
    return { state, bytes: first.historyBytes, place: await room.enter(state.largeBytes, signal) };
  }
  // A text takes its size as JSON, objects several times as much: the real size is known when they are read.
  for (let memoryBytes = first.historyBytes; ;) {
    if (memoryBytes > room.largestBytes) throw tooLargeFor(room);
    const place = await room.enter(memoryBytes, signal);
    try {
      let state = fold(first.events);
      let readBytes = heldByReplay(first.events);
      let fits = true;
      for await (const page of historyPages(events, taskId, state.version)) {
        state = fold(page, state);
        readBytes += heldByReplay(page);
        const more = readBytes - memoryBytes;
        if (more <= 0) continue;
        memoryBytes = readBytes;
        fits = place.grow(more);
        if (!fits || place.isTooLarge) break;
      }
      if (place.isTooLarge) throw tooLargeFor(room);
      if (fits) return { state, bytes: first.historyBytes, place };
    } catch (error) {
      place.leave();
      throw error;
    }
    // Waits until there is room for the size that is known by now.
    place.leave();
  }
}

/** With the large values: the function gets all of them. */
function heldByReplay(events: readonly TaskEvent[]): number {
  return events.reduce((bytes, event) => bytes + heldBytes(event), largeBytesOf(events));
}

function tooLargeFor({ largestBytes }: HistoryRoom): TaskError {
  return new TaskError('HISTORY_TOO_LARGE', `The history takes more memory than a worker has for one: ${largestBytes} bytes.`);
}
