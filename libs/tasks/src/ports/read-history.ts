import type { TaskEvent } from '../domain/events.js';
import type { TaskId } from '../domain/task-id.js';
import type { EventStore } from './event-store.js';

/** The most bytes of a history that one reply of a store carries, unless a single event is larger. */
const PAGE_BYTES = 1024 * 1024;

/** Reads all events after a version, page by page: the caller holds only the events that it keeps, and one page. */
export async function* historyPages(
  events: Pick<EventStore, 'readPage'>,
  taskId: TaskId,
  afterVersion = 0,
): AsyncGenerator<readonly TaskEvent[], void> {
  for (let version = afterVersion; ;) {
    const page = await events.readPage(taskId, version, PAGE_BYTES);
    ({ version } = page);
    yield page.events;
    if (page.isLast) return;
  }
}

/** All events after a version, in order; empty for a missing or expired task. */
export async function readHistory(events: Pick<EventStore, 'readPage'>, taskId: TaskId, afterVersion?: number): Promise<TaskEvent[]> {
  const read: TaskEvent[] = [];
  for await (const page of historyPages(events, taskId, afterVersion)) read.push(...page);
  return read;
}
