/** Decides how a run begins on a thread: which messages it continues, and what it holds. */
import { firstCharacters } from '@longhaul/tasks/text';
import type { Decision, Json, Records, RecordUpdate } from '@longhaul/tasks';
import type { Message } from '../conversation/messages.js';
import { settled } from './close-thread.js';
import { ThreadError } from './thread-error.js';
import { existing, lastOf, messagesIn, recordOf, requireFree, threadsIn, withChanges } from './thread-reads.js';
import { THREAD_NAME, THREAD_NAME_RULE } from './thread-names.js';
import { keptMessage, messageKey, THREAD_LIMITS, threadKey, type ThreadRecord } from './thread-records.js';
import type { OpenedThread, ThreadRequest } from './thread.js';

const CUT_OFF = 'the run ended without an answer';

export function openedIn(records: Records, request: ThreadRequest): Decision<OpenedThread | 'too many'> {
  if (request.thread !== undefined) requireName(request.thread);
  const mine = threadsIn(records).find(([, { hold }]) => hold?.by === request.by);
  if (mine !== undefined) return begun(records, mine[0], { ...mine[1], messages: mine[1].hold?.from ?? mine[1].messages }, request);
  const found = request.thread === undefined ? undefined : recordOf(records, request.thread);
  if (request.fork === undefined && request.thread !== undefined && found !== undefined) {
    requireFree(request.thread, found, request.now);
    // The run before it may have gone without an end.
    const changes = settled(records, request.thread, found, CUT_OFF);
    return begun(
      withChanges(records, changes),
      request.thread,
      { ...found, messages: lastOf(changes, request.thread, found) },
      request,
      changes,
    );
  }
  if (found !== undefined)
    throw new ThreadError('THREAD_EXISTS', `There is a thread "${request.thread}" already: give the new one another name.`);
  const threads = threadsIn(records);
  if (threads.length >= THREAD_LIMITS.threads) return { changes: [], result: 'too many' };
  const thread = request.thread ?? freeName(records, request);
  const origin = request.fork === undefined ? undefined : forkIn(records, request.fork);
  const isFirst = origin === undefined || origin.messages.length === 0;
  const record: ThreadRecord = {
    createdAt: request.now,
    usedAt: request.now,
    title: firstCharacters(isFirst ? request.prompt.replace(/\s+/g, ' ').trim() : origin.title, THREAD_LIMITS.titleCharacters),
    messages: origin?.messages.length ?? 0,
    isNamed: request.thread !== undefined,
    ...(origin?.compacted !== undefined && { compacted: origin.compacted }),
    ...(request.fork !== undefined && { forkOf: request.fork }),
  };
  const copies = (origin?.messages ?? []).map(({ number, message }): RecordUpdate => ({
    id: messageKey(thread, number),
    value: keptMessage(message),
  }));
  return begun(withChanges(records, copies), thread, record, request, copies);
}

/** The hold, and the question as the next message. */
function begun(
  records: Records,
  thread: string,
  record: ThreadRecord,
  request: ThreadRequest,
  before: readonly RecordUpdate[] = [],
): Decision<OpenedThread> {
  const { by, now, leaseMs, prompt } = request;
  const from = record.messages;
  const number = from + 1;
  if (number >= THREAD_LIMITS.messages)
    throw new ThreadError(
      'THREAD_FULL',
      `The thread "${thread}" has ${from} messages, and at most ${THREAD_LIMITS.messages} are kept: fork it at a later question, or begin another one.`,
    );
  const question: Message = { role: 'user', content: prompt };
  const next: ThreadRecord = { ...record, messages: number, usedAt: now, hold: { by, from, until: now + leaseMs } };
  const { compacted, density } = record;
  return {
    changes: [
      ...before,
      { id: threadKey(thread), value: next as unknown as Json },
      { id: messageKey(thread, number), value: keptMessage(question) },
    ],
    result: {
      thread,
      number,
      messages: messagesIn(records, thread, (compacted?.messages ?? 0) + 1, from).map(({ message }) => message),
      ...(compacted !== undefined && { summary: compacted.summary }),
      ...(density !== undefined && { density }),
    },
  };
}

/** The messages of a thread before one of its questions. */
function forkIn(records: Records, fork: string) {
  const [, name = '', digits = ''] = /^(.+)@(\d{1,6})$/.exec(fork) ?? [];
  if (digits === '')
    throw new ThreadError('THREAD_INVALID', 'A fork is given as the name of a thread, "@", and the number of a question: "trip@3".');
  const { messages: last, title, compacted } = existing(records, name);
  const number = Number(digits);
  const at = records.get(messageKey(name, number)) as unknown as Message | undefined;
  const isQuestion = at?.role === 'user' || number === last + 1;
  if (!isQuestion) {
    const questions = messagesIn(records, name, 1, last)
      .filter(({ message }) => message.role === 'user')
      .map((each) => each.number);
    throw new ThreadError(
      'THREAD_INVALID',
      `Message ${number} of the thread "${name}" is no question. Its last questions are ${questions.slice(-10).join(', ')}; ${last + 1} continues after its end.`,
    );
  }
  const messages = messagesIn(records, name, 1, number - 1);
  // A summary of later messages would tell what the fork is to forget.
  return { title, messages, ...(compacted !== undefined && compacted.messages < number && { compacted }) };
}

/** A name that says when the thread began, or of which one it is a fork. The same records give the same name. */
function freeName(records: Records, { fork, now }: ThreadRequest): string {
  const begin = fork === undefined ? new Date(now).toISOString().slice(0, 10) : fork.replace(/@\d+$/, '').slice(0, 56);
  for (let count = fork === undefined ? 1 : 2; ; count += 1) {
    const name = `${begin}.${count}`;
    if (recordOf(records, name) === undefined) return name;
  }
}

function requireName(thread: string): void {
  if (!THREAD_NAME.test(thread)) throw new ThreadError('THREAD_INVALID', `The name of a thread ${THREAD_NAME_RULE}.`);
}
