/** Reads threads among the records of an owner, and applies changes to them. */
import type { Records, RecordUpdate } from '@longhaul/tasks';
import type { Message } from '../conversation/messages.js';
import { ThreadError } from './thread-error.js';
import { messageKey, nameInKey, threadKey, type ThreadRecord } from './thread-records.js';
import type { NumberedMessage } from './thread.js';

export function recordOf(records: Records, thread: string): ThreadRecord | undefined {
  return records.get(threadKey(thread)) as unknown as ThreadRecord | undefined;
}

export function existing(records: Records, thread: string): ThreadRecord {
  const record = recordOf(records, thread);
  if (record === undefined) throw new ThreadError('THREAD_NOT_FOUND', `There is no thread "${thread}".`);
  return record;
}

export function threadsIn(records: Records): readonly (readonly [string, ThreadRecord])[] {
  return [...records].flatMap(([key, value]) => {
    const name = nameInKey(key);
    return name === undefined ? [] : [[name, value as unknown as ThreadRecord] as const];
  });
}

export function messagesIn(records: Records, thread: string, first: number, last: number): readonly NumberedMessage[] {
  const messages: NumberedMessage[] = [];
  for (let number = first; number <= last; number += 1) {
    const message = records.get(messageKey(thread, number)) as unknown as Message | undefined;
    if (message !== undefined) messages.push({ number, message });
  }
  return messages;
}

/** The highest number of a message after changes. */
export function lastOf(changes: readonly RecordUpdate[], thread: string, { messages }: ThreadRecord): number {
  const prefix = messageKey(thread, 0).replace(/\d+$/, '');
  const numbers = changes.flatMap(({ id, value }) =>
    id.startsWith(prefix) && value !== undefined ? [Number(id.slice(prefix.length))] : [],
  );
  return numbers.reduce((last, number) => Math.max(last, number), messages);
}

export function withChanges(records: Records, changes: readonly RecordUpdate[]): Records {
  if (changes.length === 0) return records;
  const next = new Map(records);
  for (const { id, value } of changes) {
    if (value === undefined) next.delete(id);
    else next.set(id, value);
  }
  return next;
}

/** @throws ThreadError `THREAD_BUSY` */
export function requireFree(thread: string, { hold }: ThreadRecord, now: number): void {
  if (hold !== undefined && hold.until > now)
    throw new ThreadError('THREAD_BUSY', `The thread "${thread}" is in use by ${hold.by}: wait for its end, or cancel it.`);
}
