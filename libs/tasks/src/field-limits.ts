/**
 * Limits the fields that a client sends, or that the code of a feature gives to its context. Sizes are bytes of UTF-8; the size of a value
 * is the size of its JSON. What is not here is limited by the body of its request (`LONGHAUL_BODY_LIMIT_BYTES`) or with the whole task.
 * docs/fixed-limits.md has a row for each.
 */
import { shown } from './domain/shown.js';
import { TaskError } from './errors.js';

const KIB = 1024;
const MIB = 1024 * KIB;

export const FIELD_LIMITS = {
  /** The id of a request, which is kept with its stream. */
  requestIdBytes: 256,
  /** Recorded with the task, and sent with each report of progress. */
  progressTokenBytes: 256,
  idempotencyKeyBytes: 256,
  /** A client's description of itself: capabilities, name and version. Each of its tasks records it. */
  clientBytes: 64 * KIB,
  /** Values in `clientInfo`, such as icons and their sizes. They may have any number of bytes. */
  clientValues: 1_000,
  /** The name of a tool, a prompt or an argument, and of a logger. */
  nameBytes: 256,
  /** The id of a client's task, or of a URL elicitation. */
  idBytes: 256,
  /** The id of a signal's delivery, of which its task keeps a digest. */
  signalIdBytes: 256,
  signalNameBytes: 512,
  cursorBytes: 256,
  /** RFC 9110 asks everyone to take 8,000; clients of 2026-07-28 repeat a URI in a header, and Node takes 16 KiB of headers. */
  uriBytes: 8 * KIB,
  /** The typed part of an argument to complete. */
  completionValueBytes: 8 * KIB,
  /** The arguments that are filled in already, all of them. */
  completionArgumentsBytes: 64 * KIB,
  /** Arguments of a prompt, and answers that come with a repeated call: each is checked by itself. */
  namedValues: 1_000,
  /** Resources that one session, or one stream of 2026-07-28, is subscribed to. */
  subscriptions: 1_000,
  /** Their URIs in one session, all of them. */
  subscriptionBytes: 256 * KIB,
  /** Tasks that one stream of 2026-07-28 listens to. */
  listenedTasks: 1_000,
  /** URIs and ids of tasks that one stream of 2026-07-28 names, all of them: they are kept for as long as it is open. */
  listenedBytes: 64 * KIB,
  /** The reason that a client gives for a cancellation, which is recorded. The rest of a longer one is cut off. */
  cancelReasonBytes: 1 * KIB,
  /** Cancellations of a session that gateways remember for streams that continue elsewhere. */
  notedCancellations: 1_000,

  statusMessageBytes: 2 * KIB,
  progressMessageBytes: 2 * KIB,
  /** The value that a task shows. It is in the view of the task, which each append writes. */
  exposedBytes: 16 * KIB,
  logDataBytes: 64 * KIB,
  /** The params of a request to the client. */
  clientRequestBytes: 4 * MIB,
  /** A feature's name for its request to the client. */
  clientRequestKeyBytes: 256,
  errorMessageBytes: 64 * KIB,
  /** The name or the code of an error. */
  errorNameBytes: 256,
  /** The part of an error's stack that is kept. */
  errorStackBytes: 8 * KIB,
  /** The arguments that a durable tool's `prepare` completes. */
  preparedArgumentsBytes: 8 * MIB,
  sessionValueNameBytes: 512,
  sessionValueBytes: 16 * MIB,
  /** Values of one session, with its subscriptions and session jobs. */
  sessionValues: 2_000,
  /** Names and values of one session, all of them. */
  sessionBytes: 64 * MIB,
  /** Names and values of all sessions of an account: of a known caller, or of the address of others. */
  accountSessionBytes: 256 * MIB,
} as const;

const ELLIPSIS = '…';

/** Describes a text that is longer than allowed, or is none, without the text itself; `undefined` when it is not too long. */
export function tooLong(field: string, text: string, maxBytes: number): string | undefined {
  // Authors of JavaScript give anything.
  if (typeof (text as unknown) !== 'string') return `${field} must be a text, and is ${shown(text)}`;
  // A UTF-16 code unit has at most three bytes, so most texts need not be counted.
  if (text.length * 3 <= maxBytes) return undefined;
  const bytes = Buffer.byteLength(text);
  return bytes <= maxBytes ? undefined : `${field} has ${bytes} bytes; at most ${maxBytes} are allowed`;
}

/** The text, or as much of its beginning as fits with an ellipsis. No character is cut in two. */
export function cutText(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  // As far as it is needed: what is cut off may be long.
  const start = new Uint8Array(maxBytes);
  const encoder = new TextEncoder();
  if (encoder.encodeInto(text, start).read === text.length) return text;
  const { read } = encoder.encodeInto(text, start.subarray(0, maxBytes - Buffer.byteLength(ELLIPSIS)));
  return text.slice(0, read) + ELLIPSIS;
}

/** @throws TaskError `INVALID_KEY` when a name, a key or an id is too long, which names what it is of and the limit */
export function checkKey(what: string, key: string, maxBytes: number): void {
  const problem = tooLong(what, key, maxBytes);
  if (problem !== undefined) throw new TaskError('INVALID_KEY', `${problem}.`);
}
