/** Defines how threads are kept: the records of an owner's collection, and their limits. */
import { cutWithNote } from '@longhaul/runtime/cut-bytes';
import type { Json } from '@longhaul/tasks';
import type { Message } from '../conversation/messages.js';
import type { Compacted } from '../loop/compacted.js';

/** The collection of an owner. */
export const THREADS = 'agent-threads';

/** The default size of the collection, bytes. */
export const DEFAULT_THREADS_BYTES = 16 * 1024 * 1024;

export const THREAD_LIMITS = {
  /** Threads of one owner. */
  threads: 1_000,
  /** Messages of one thread. */
  messages: 5_000,
  /** Bytes of one message as JSON; a longer text is cut, with a note. */
  messageBytes: 1024 * 1024,
  /** Characters of the beginning of the first question. */
  titleCharacters: 80,
} as const;

/** A run that works on a thread. No other run may begin until it ends. */
export interface ThreadHold {
  /** The run. */
  readonly by: string;
  /** Messages that the thread had before the run. */
  readonly from: number;
  /** When the hold ends by itself, epoch milliseconds. */
  readonly until: number;
}

/** A thread without its messages. Plain JSON: it is a record. */
export interface ThreadRecord {
  readonly createdAt: number;
  /** When a run began or ended last, epoch milliseconds. */
  readonly usedAt: number;
  /** The beginning of the first question. */
  readonly title: string;
  /** The highest number of a message. */
  readonly messages: number;
  /** Whether a caller chose its name. Others are removed when the owner needs room. */
  readonly isNamed: boolean;
  readonly compacted?: Compacted;
  /** Tokens of a character, as the endpoint counted last. */
  readonly density?: number;
  readonly hold?: ThreadHold;
  /** The origin of a fork, as `thread@number`. */
  readonly forkOf?: string;
}

const THREAD_PREFIX = 'thread/';
const DIGITS = 6;

export function threadKey(name: string): string {
  return `${THREAD_PREFIX}${name}`;
}

/** The key of a message; numbers begin with 1. */
export function messageKey(name: string, number: number): string {
  return `message/${name}/${String(number).padStart(DIGITS, '0')}`;
}

/** The name in a key, if it is that of a thread. */
export function nameInKey(key: string): string | undefined {
  return key.startsWith(THREAD_PREFIX) ? key.slice(THREAD_PREFIX.length) : undefined;
}

/** A message as it is kept: of bounded size. */
export function keptMessage(message: Message): Json {
  return bounded(message) as unknown as Json;
}

function bounded(message: Message): Message {
  const { messageBytes } = THREAD_LIMITS;
  if (bytesOf(message) <= messageBytes) return message;
  const text = typeof message.content === 'string' ? message.content : JSON.stringify(message.content);
  const shorter = { ...withoutThoughts(message), content: cutWithNote(text, messageBytes / 4) };
  if (bytesOf(shorter) <= messageBytes || shorter.role !== 'assistant') return shorter;
  const calls = shorter.tool_calls?.map((call) => ({ ...call, function: { ...call.function, arguments: '{}' } })) ?? [];
  return { ...shorter, tool_calls: calls };
}

function withoutThoughts(message: Message): Message {
  if (message.role !== 'assistant') return message;
  const { thoughts: _thoughts, ...rest } = message;
  return rest;
}

function bytesOf(message: Message): number {
  return Buffer.byteLength(JSON.stringify(message));
}
