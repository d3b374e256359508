/** Decides what a run adds to a thread that it holds, and how it lets the thread go. */
import type { Decision, Json, Records, RecordUpdate } from '@longhaul/tasks';
import type { ToolCall } from '../conversation/messages.js';
import { cutCallMessage } from '../loop/call-tools.js';
import { ThreadError } from './thread-error.js';
import { existing, lastOf, messagesIn, recordOf, threadsIn, withChanges } from './thread-reads.js';
import { keptMessage, messageKey, THREAD_LIMITS, threadKey, type ThreadRecord } from './thread-records.js';
import type { ThreadAppend, ThreadRun } from './thread.js';

/** More than one message has calls. */
const MAX_OPEN_MESSAGES = 2_048;

function heldBy(records: Records, thread: string, { by }: ThreadRun): ThreadRecord | undefined {
  const record = recordOf(records, thread);
  return record?.hold?.by === by ? record : undefined;
}

function afterAppend(
  record: ThreadRecord,
  { now, leaseMs }: ThreadRun,
  { number, messages, compacted, density }: ThreadAppend,
): ThreadRecord {
  const last = Math.max(record.messages, number + messages.length - 1);
  return {
    ...record,
    messages: last,
    ...(compacted !== undefined && { compacted }),
    ...(density !== undefined && { density }),
    ...(record.hold !== undefined && { hold: { ...record.hold, until: now + leaseMs } }),
  };
}

/** @throws ThreadError for more messages than a thread may have */
function changesOf(thread: string, record: ThreadRecord, { number, messages }: ThreadAppend): readonly RecordUpdate[] {
  if (record.messages > THREAD_LIMITS.messages)
    throw new ThreadError('THREAD_FULL', `The thread "${thread}" would have more than ${THREAD_LIMITS.messages} messages.`);
  return [
    { id: threadKey(thread), value: json(record) },
    ...messages.map((message, index) => ({ id: messageKey(thread, number + index), value: keptMessage(message) })),
  ];
}

/** Writes messages of a run. The result is false when the run does not hold the thread. */
export function appendedIn(records: Records, thread: string, run: ThreadRun, append: ThreadAppend): Decision<boolean> {
  const record = heldBy(records, thread, run);
  if (record === undefined) return { changes: [], result: false };
  return { changes: changesOf(thread, afterAppend(record, run, append), append), result: true };
}

export interface Closing {
  readonly run: ThreadRun;
  readonly last: ThreadAppend | undefined;
  readonly why: string | undefined;
}

export function closedIn(records: Records, thread: string, { run, last, why }: Closing): Decision<number | undefined> {
  const record = heldBy(records, thread, run);
  if (record === undefined) return { changes: [], result: undefined };
  const written = last === undefined ? [] : changesOf(thread, afterAppend(record, run, last), last);
  const after = withChanges(records, written);
  const { hold, ...rest } = existing(after, thread);
  const isTakenBack = why === undefined;
  const changes = isTakenBack
    ? removedAfter(thread, hold?.from ?? rest.messages, rest.messages)
    : [...written, ...settled(after, thread, rest, why)];
  const messages = isTakenBack ? (hold?.from ?? rest.messages) : lastOf(changes, thread, rest);
  // A thread that has nothing in it is none.
  if (messages === 0) return { changes: [...changes, { id: threadKey(thread) }], result: 0 };
  return { changes: [...changes, { id: threadKey(thread), value: json({ ...rest, messages, usedAt: run.now }) }], result: messages };
}

/** Only lets the thread go: that takes no room. */
export function releasedIn(records: Records, thread: string, run: ThreadRun): Decision<undefined> {
  const held = heldBy(records, thread, run);
  if (held === undefined) return { changes: [], result: undefined };
  const { hold: _, ...record } = held;
  return { changes: [{ id: threadKey(thread), value: json(record) }], result: undefined };
}

function removedAfter(thread: string, from: number, last: number): readonly RecordUpdate[] {
  return Array.from({ length: last - from }, (_, index) => ({ id: messageKey(thread, from + index + 1) }));
}

/** What is missing for a conversation that can be continued: results of calls that were cut off, and an answer. */
export function settled(records: Records, thread: string, { messages: last }: ThreadRecord, why: string): readonly RecordUpdate[] {
  const changes: RecordUpdate[] = [];
  const present = messagesIn(records, thread, Math.max(1, last - MAX_OPEN_MESSAGES), last);
  const asking = present.findLast(({ message }) => message.role !== 'tool');
  let end = last;
  const calls: readonly ToolCall[] = asking?.message.role === 'assistant' ? (asking.message.tool_calls ?? []) : [];
  for (const [index, call] of calls.entries()) {
    const number = (asking?.number ?? 0) + index + 1;
    if (!present.some((each) => each.number === number))
      changes.push({ id: messageKey(thread, number), value: keptMessage(cutCallMessage(call)) });
    end = Math.max(end, number);
  }
  if (asking?.message.role === 'assistant' && calls.length === 0 && asking.number === last) return changes;
  changes.push({ id: messageKey(thread, end + 1), value: keptMessage({ role: 'assistant', content: `[There is no answer: ${why}]` }) });
  return changes;
}

export function removal(thread: string, { messages }: ThreadRecord): readonly RecordUpdate[] {
  return [{ id: threadKey(thread) }, ...removedAfter(thread, 0, messages)];
}

/** Removes the thread that was used least lately among those that nobody has named and no run holds. @returns whether there is one */
export function removalOfOldest(records: Records, spared: string | undefined): Decision<boolean> {
  const [oldest] = threadsIn(records)
    .filter(([thread, { isNamed, hold }]) => !isNamed && hold === undefined && thread !== spared)
    .toSorted(([, one], [, other]) => one.usedAt - other.usedAt);
  return oldest === undefined ? { changes: [], result: false } : { changes: removal(...oldest), result: true };
}

function json(record: ThreadRecord): Json {
  return record as unknown as Json;
}
