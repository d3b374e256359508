/**
 * Stores event streams for all gateways. Every message of a stream is appended to its log before it is sent, so that after a broken
 * connection the client gets the missed messages from any gateway.
 *
 * A stream has one present writer, identified by its epoch. Taking a stream over raises the epoch: questions and answers of an earlier
 * writer are refused from then on, so that no message is sent twice. The earlier writer may still append messages that only it has
 * (notifications that it received, the answer of a call that runs in its process); the present writer is notified, and reads them.
 */
import type { TaskId, Unsubscribe } from '@longhaul/tasks';

/** About how many entries a log keeps: enough for a client that is away for minutes while progress is reported ten times a second. */
export const MAX_LOG_ENTRIES = 1_000;
/** How long an unfinished stream is kept without use: a client that comes back later must send its request again. */
export const UNFINISHED_TTL_MS = 5 * 60_000;
/** How long a finished stream is kept: a client that missed its end comes back at once or after its back-off. */
export const FINISHED_TTL_MS = 60_000;

/** A request that is answered on the stream. */
export interface StreamRequest {
  readonly id: string | number;
  /** The task that the answer comes from. Absent: the process that took the request makes the answer. */
  readonly taskId?: TaskId;
  /** If the request does not wait for the end of the task: until when it waits, epoch milliseconds. */
  readonly handOverAt?: number;
  /** If the request is a plain call of the task: whether it has made it, or was given it because it is the same call once more. */
  readonly role?: 'call' | 'repeat';
  /** The scopes that a token needs to resume the stream. */
  readonly scopes?: readonly string[];
}

/** Which gateway serves a stream. */
export interface StreamHolder {
  readonly gatewayId: string;
  readonly streamId: string;
}

/** A stream, named by its session and its id. */
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

/** A new stream. */
export interface NewStream extends StreamName {
  readonly gatewayId: string;
  readonly leaseMs: number;
  /** How many streams the session may have open, this one included. */
  readonly maxOpen: number;
  /**
   * The requests that it answers. A standalone stream answers no request: then this has an entry for the GET that opened it, if anything.
   */
  readonly requests: readonly StreamRequest[];
  readonly isStandalone: boolean;
  /** The holder of the session's standalone stream, if it is known to be dead. */
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

/** `taken`: the stream has another writer. `gone`: the stream no longer exists. */
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

/** `unknown`: no such stream in this session, or no such entry in it. */
export type TakeOverVerdict =
  | { readonly verdict: 'taken'; readonly stream: TakenStream }
  | { readonly verdict: 'unknown' | 'too-many' }
  | Extract<OpenVerdict, { verdict: 'held' }>;

/** The gateway that takes a stream over, and the entry after which it continues. */
export interface TakeOver extends StreamName {
  /** The entry after which the client continues. */
  readonly n: number;
  readonly gatewayId: string;
  readonly leaseMs: number;
  /** As for a new stream; a stream that is already open keeps its place. */
  readonly maxOpen: number;
  readonly replacing?: StreamHolder;
}

/** What is known of a cancelled request. */
export interface Cancellation {
  /** When the message with it came, epoch milliseconds. */
  readonly at: number;
  /** As the client gave it. The caller has cut it to what is kept. */
  readonly reason?: string | undefined;
}

/** Stores streams. Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface StreamStore {
  /** The stream's first epoch is 1. */
  open(stream: NewStream): Promise<OpenVerdict>;
  /** Makes the caller the stream's writer. */
  takeOver(request: TakeOver): Promise<TakeOverVerdict>;
  /** @throws TaskError `STORE_FULL` when the store has no room for copies of messages */
  append(stream: StreamRef, entry: NewEntry): Promise<AppendVerdict>;
  /**
   * Records that one of the requests gets no answer.
   *
   * @param isExclusive whether only the stream's present writer may record it
   * @returns whether every other request has its answer
   */
  settleOne(stream: StreamRef, isExclusive: boolean): Promise<boolean>;
  /** The requests that a stream answers, to check before it is taken over; nothing if the stream does not exist. */
  requestsOf(stream: StreamName): Promise<readonly StreamRequest[]>;
  /** The owner of the tasks that the answers come from. */
  bind(stream: StreamRef, requests: readonly StreamRequest[]): Promise<void>;
  /** The log after entry `after`. */
  read(stream: StreamName, after: number): Promise<{ readonly entries: readonly StreamEntry[]; readonly isFinished: boolean }>;
  /** Renews the stream's lease. */
  keep(stream: StreamRef, leaseMs: number): Promise<'kept' | 'taken' | 'gone'>;
  /** The client is gone, and may come back. */
  leave(stream: StreamRef): Promise<void>;
  /**
   * Notes that the client cancelled a request, for a gateway that takes its stream over at this very moment or later. The number that is
   * noted for a session is limited (`FIELD_LIMITS`); beyond it, such a gateway continues with the request.
   */
  noteCancelled(sessionId: string, requestId: string | number, cancellation: Cancellation): Promise<void>;
  /** How the client has cancelled the request while its stream could be resumed; nothing if it has not. */
  cancellationOf(sessionId: string, requestId: string | number): Promise<Cancellation | undefined>;
  /** Calls `listener` when someone other than its present writer may have appended to the stream. */
  watch(stream: StreamName, listener: () => void): Promise<Unsubscribe>;
}
