import type { TaskEvent } from '../domain/events.js';
import { TaskError } from '../errors.js';

/** An event as it is stored: its type, its data and its `meta`, the latter two as JSON. */
export interface StoredEvent {
  readonly type: TaskEvent['type'];
  readonly data: string;
  readonly meta: string;
}

/** @param epoch lease epoch of the pass that appends; kept for people who read the stream */
export function toStored({ type, at, data }: TaskEvent, epoch?: number): StoredEvent {
  return { type, data: JSON.stringify(data), meta: JSON.stringify({ at, epoch }) };
}

/** Reads a stored event. @throws TaskError `HISTORY_UNREADABLE` */
export function fromStored({ type, data, meta }: StoredEvent): TaskEvent {
  try {
    const { at } = JSON.parse(meta) as { at: number };
    return { type, at, data: JSON.parse(data) as unknown } as TaskEvent;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TaskError('HISTORY_UNREADABLE', `A ${type} of the task cannot be read: ${reason}`, undefined, { cause });
  }
}

/** The size of the events in the history, bytes of UTF-8. */
export function storedBytes(events: readonly StoredEvent[]): number {
  return events.reduce((bytes, { type, data, meta }) => bytes + type.length + Buffer.byteLength(data) + meta.length, 0);
}
