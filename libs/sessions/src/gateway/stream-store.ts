/**
 * What all gateways know of event streams. Every message of a stream is appended to its log before it
 * goes out, so that a client whose connection broke gets what it missed from any gateway.
 *
 * A stream has one present writer, identified by its epoch. Taking a stream over raises the epoch: questions
 * and answers of an earlier writer are refused from then on, so that none is sent twice. What only that
 * writer has (notifications that it received, the answer of a call that runs in its process) it may still append;
 * the present writer is notified, and reads it.
 */
import type { TaskId, Unsubscribe } from '@longhaul/tasks';

/** Entries that a log keeps, about: enough for a client that is away for minutes while progress is reported ten times a second. */
export const MAX_LOG_ENTRIES = 1_000;
/** How long an unfinished stream is kept without use: a client that comes back later than that has to send its request again. */
export const UNFINISHED_TTL_MS = 5 * 60_000;
/** How long a finished one is: a client that missed the end of it comes back at once or after its back-off. */
export const FINISHED_TTL_MS = 60_000;

/** A request whose answer comes on the stream. */
export interface StreamRequest {
  readonly id: string | number;
  /** The task that the answer is of. Absent: the answer is made by the process that took the request. */
  readonly taskId?: TaskId;
  /** What is asked of the token of who takes the stream up again. */
  readonly scopes?: readonly string[];
}

/** Which gateway serves a stream. */
export interface StreamHolder {
  readonly gatewayId: string;
  readonly streamId: string;
}

/** A stream in its session. */
export interface StreamName {
  readonly sessionId: string;
  readonly streamId: string;
}

/** A stream as one writer knows it. */
export interface StreamRef extends StreamName {
  readonly gatewayId: string;
  readonly epoch: number;
  readonly isStandalone: boolean;
}

/** A stream that begins. */
export interface NewStream extends StreamName {
  readonly gatewayId: string;
  readonly leaseMs: number;
  /** Streams that the session may have open, this one included. */
  readonly maxOpen: number;
  /** The requests that it answers. A standalone one answers none: here is what stands for the GET that opened it, if anything. */
  readonly requests: readonly StreamRequest[];
  readonly isStandalone: boolean;
  /** A holder of the session's standalone stream that is known to be dead. */
  readonly replacing?: StreamHolder;
}

/** `held`: another gateway serves the session's standalone stream. */
export type OpenVerdict = { readonly verdict: 'opened' | 'too-many' } | { readonly verdict: 'held'; readonly holder: StreamHolder };

/** One message. */
export interface StreamEntry {
  readonly n: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** A JSON-RPC message. */
  readonly json: string;
}

/** A message to append. */
export interface NewEntry {
  readonly json: string;
  /** Refused when the stream has been taken over. */
  readonly isExclusive: boolean;
  /** Whether it answers one of the stream's requests. */
  readonly isAnswer: boolean;
}

/** `taken`: the stream has another writer. `gone`: there is no such stream any more. */
export type AppendVerdict = { readonly n: number; readonly isFinished: boolean } | 'taken' | 'gone';

/** A stream that has been taken over. */
export interface TakenStream {
  readonly epoch: number;
  readonly isStandalone: boolean;
  readonly requests: readonly StreamRequest[];
  /** The gateway that the stream began on. */
  readonly origin: string;
  readonly openedAt: number;
  /** Whether every request has its answer in the log. */
  readonly isFinished: boolean;
}

/** `unknown`: no such stream in this session, or no such place in it. */
export type TakeOverVerdict =
  | { readonly verdict: 'taken'; readonly stream: TakenStream }
  | { readonly verdict: 'unknown' | 'too-many' }
  | Extract<OpenVerdict, { verdict: 'held' }>;

/** Who takes a stream over, and where it continues. */
export interface TakeOver extends StreamName {
  /** The entry after which the client continues. */
  readonly n: number;
  readonly gatewayId: string;
  readonly leaseMs: number;
  /** As for a new stream; one that is open already keeps its place. */
  readonly maxOpen: number;
  readonly replacing?: StreamHolder;
}

/**
 * Where streams live. Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot
 * be reached.
 */
export interface StreamStore {
  /** The stream's first epoch is 1. */
  open(stream: NewStream): Promise<OpenVerdict>;
  /** Makes the caller the stream's writer. */
  takeOver(request: TakeOver): Promise<TakeOverVerdict>;
  /** @throws TaskError `STORE_FULL` when there is no room for copies of messages */
  append(stream: StreamRef, entry: NewEntry): Promise<AppendVerdict>;
  /**
   * One of the requests gets no answer.
   *
   * @param isExclusive whether only the stream's present writer may say so
   * @returns whether every other one has its answer
   */
  settleOne(stream: StreamRef, isExclusive: boolean): Promise<boolean>;
  /** What a stream answers, to be known before it is taken over; nothing of a stream that is not there. */
  requestsOf(stream: StreamName): Promise<readonly StreamRequest[]>;
  /** Says whose tasks the answers are of. */
  bind(stream: StreamRef, requests: readonly StreamRequest[]): Promise<void>;
  /** The log after entry `after`. */
  read(stream: StreamName, after: number): Promise<{ readonly entries: readonly StreamEntry[]; readonly isFinished: boolean }>;
  /** Renews the stream's lease. */
  keep(stream: StreamRef, leaseMs: number): Promise<'kept' | 'taken' | 'gone'>;
  /** The client is gone, and may come back. */
  leave(stream: StreamRef): Promise<void>;
  /**
   * Notes that the client cancelled a request, for a gateway that takes its stream over at this very moment or later. Of a session only so
   * many are noted (`FIELD_LIMITS`); beyond, such a gateway continues with the request.
   */
  noteCancelled(sessionId: string, requestId: string | number): Promise<void>;
  /** Whether the client has cancelled the request while its stream could be resumed. */
  isCancelled(sessionId: string, requestId: string | number): Promise<boolean>;
  /** Calls `listener` when someone other than its present writer may have appended to the stream. */
  watch(stream: StreamName, listener: () => void): Promise<Unsubscribe>;
}
