import type {
  ClientCapabilities,
  Implementation,
  Progress,
  StreamableHTTPClientTransportOptions,
  Transport,
} from '@modelcontextprotocol/client';
import type { Generation } from './generation.js';
import type { InputHandlers } from './input.js';
import type { SessionKeeper } from './session-keeper.js';
import type { TaskReference } from './task-reference.js';
import type { TaskStatus } from './task-status.js';
import type { RetryPolicy } from './wire/retries.js';

/** Where the server is: its URL, or a function that makes a new transport for each connection. */
export type Target = string | URL | (() => Transport);

export interface ConnectOptions {
  /** Speaks only this protocol version. By default the newer one is tried first, and the server's answer decides. */
  readonly generation?: Generation;
  /**
   * The versions before 2026-07-28 that are offered, the first one first. By default all that the SDK knows; for servers that refuse a version
   * instead of naming theirs.
   */
  readonly legacyVersions?: readonly string[];
  /** How long the server may take to say whether it knows the newer one, milliseconds; over stdio, silence means no. @defaultValue 60,000 */
  readonly probeTimeoutMs?: number;
  /** How long the server may take to introduce itself, milliseconds. @defaultValue 60,000 */
  readonly connectTimeoutMs?: number;
  /** How the client introduces itself. */
  readonly clientInfo?: Implementation;
  /** Answers what servers ask, for calls that have no `onInput` of their own. */
  readonly onInput?: InputHandlers;
  /** The capabilities of the client. By default they follow from `onInput`. */
  readonly capabilities?: ClientCapabilities;
  /**
   * Whether all calls are made for one user. A question of which it stays unknown which call asks it is then asked for the likeliest one;
   * otherwise `onInput` of the connection answers it. @defaultValue false
   */
  readonly isOneUser?: boolean;
  /**
   * Whether results of tools keep blocks of content of kinds that the SDK does not know, such as those of a later protocol version.
   * @defaultValue false: they are left out, with a warning
   */
  readonly keepsUnknown?: boolean;
  /** How often and how long to try again what can be sent again safely. */
  readonly retry?: Partial<RetryPolicy>;
  /** For the HTTP transport that is made for a URL: headers, authentication, a `fetch` of one's own. */
  readonly transport?: Omit<StreamableHTTPClientTransportOptions, 'sessionId' | 'protocolVersion' | 'reconnectionOptions'>;
  /** For a URL: shares its session with other processes. By default the session begins and ends with the client. */
  readonly sessions?: SessionKeeper;
  /** Takes errors that no call can report, such as a stream that broke and is opened again. */
  readonly onError?: (error: Error) => void;
  /**
   * Receives a line about each part of an answer that is left out because it is invalid, such as a tool of a list or a block of content.
   */
  readonly onWarning?: (line: string) => void;
}

/** The options for a resumed task as well as for a new call. A callback that throws fails the call; its task continues. */
export interface FollowOptions {
  /** Called for each change of the task that is noticed; never for a call that becomes no task. */
  readonly onStatus?: (status: TaskStatus) => void;
  /** Called for each progress report. */
  readonly onProgress?: (progress: Progress) => void;
  /** Answers the questions of the tool, instead of `onInput` of the connection. */
  readonly onInput?: InputHandlers;
  /** Aborting it cancels the call and its task. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Aborting it leaves the task. The call rejects with a TaskLeftError that has the reference, the task continues, and its questions stay
   * open. A call that is no task yet is left when it has become one.
   */
  readonly leave?: AbortSignal;
}

export interface CallOptions extends FollowOptions {
  /** Called once if the call becomes a task, and waited for: the place to keep the reference where a crash does not lose it. */
  readonly onTask?: (reference: TaskReference) => void | Promise<void>;
  /**
   * Says that the server runs calls with the same key once, so that this one may be sent again when its answer was
   * lost. Only for servers that know `_meta["longhaul/idempotencyKey"]`; others would run it again.
   */
  readonly idempotencyKey?: string;
  /** How long the task shall be kept after its creation, milliseconds. Only protocol version 2025-11-25 lets clients ask for it. */
  readonly ttlMs?: number;
  /** More for `_meta` of the request, such as `traceparent`. @defaultValue the trace of OpenTelemetry that is active where the tool is called */
  readonly meta?: Readonly<Record<string, unknown>>;
}
