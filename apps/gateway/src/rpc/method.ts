import type { Cancellation, Requester } from '@longhaul/sessions/gateway';
import type { JsonObject } from '@longhaul/tasks';
import type { RequestId, Result } from '@modelcontextprotocol/sdk/types.js';
import type { TaskCaller } from './caller.js';
import type { Operation } from './operation.js';
import type { MethodName } from './methods.js';

/** A message to the client that is sent before the answer. */
export interface Pushed {
  /** Present on a request, absent on a notification. */
  readonly id?: string;
  readonly method: string;
  readonly params: Record<string, unknown>;
  /** Whether another gateway that continues the request sends the same: then only the present one may. */
  readonly isRepeatable?: true;
}

/** A request to the client by a running feature. */
export interface ClientRequest {
  readonly method: string;
  readonly params: JsonObject;
  /** The feature's name for it, if requests have names. */
  readonly key?: string;
}

/** The abilities of a method while it answers, in every protocol version. */
export interface RequestScope {
  /** Aborts when the client hangs up or cancels the request, and when the session or the process ends. */
  readonly signal: AbortSignal;
  /** Whether the client cancelled the request, in the way of its protocol version. */
  readonly isCancelled: boolean;
  /** How the client cancelled the request, if it did so with a message. */
  readonly cancellation?: Cancellation | undefined;
  /**
   * Aborts when an answer that says how to continue must come soon, because the caller's token has expired or the process is about to end.
   * Absent if only the stream ends. Who reads it gives such an answer.
   */
  readonly leaving?: AbortSignal;
  /** Whether messages can be sent before the answer: the client accepts an event stream. @defaultValue it does */
  readonly takesMessages?: boolean;
  /** Whether the response is an event stream by now. */
  readonly hasStreamed?: boolean;
  /** Makes the response an event stream, if the client accepts one. Absent if that happens by itself. */
  open?(): void;
  /** Sends a message before the answer; the response becomes an event stream. */
  push(message: Pushed): void;
  /** Ends the connection while the work continues here, if a client can come back for the rest. */
  closeStream?(): void;
}

/** The part of a request that a method needs if it only reads. */
export interface ReadCall {
  readonly params: Readonly<Record<string, unknown>> | undefined;
  readonly caller: TaskCaller;
}

/** A request in the form of all protocol versions; each version adds its own members. */
export interface Call extends ReadCall {
  readonly id: RequestId;
  readonly method: string;
  readonly requester: Requester;
  /** The session that outlasts the request, if there is one. */
  readonly sessionId?: string;
  readonly scope: RequestScope;
  /** Asks the client for a feature that runs within the request. @throws TaskError `INPUT_FAILED`, `CLIENT_LACKS_CAPABILITY` */
  ask(request: ClientRequest): Promise<JsonObject>;
  /** The report about the request. */
  readonly operation: Operation;
}

/**
 * One JSON-RPC method; its other traits are under its name in `METHODS`.
 *
 * `reads` has no effects and knows its caller from the request alone, so that it may run while its session is still being looked up. `acts`
 * needs the whole call. `waits` acts, and may take longer than an answer should be silent.
 */
export type Method<C extends Call = Call> = { readonly name: MethodName } & (
  | { readonly kind: 'reads'; handle(call: ReadCall): Promise<Result> | Result }
  | { readonly kind: 'acts' | 'waits'; handle(call: C): Promise<Result> | Result }
);
