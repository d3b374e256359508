import type { Requester } from '@longhaul/sessions/gateway';
import type { JsonObject } from '@longhaul/tasks';
import type { RequestId, Result } from '@modelcontextprotocol/sdk/types.js';
import type { TaskCaller } from './caller.js';
import type { Operation } from './operation.js';
import type { MethodName } from './methods.js';

/** A message to the client that goes out before the answer. */
export interface Pushed {
  /** Present on a request, absent on a notification. */
  readonly id?: string;
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** A request to the client by a feature that runs. */
export interface ClientRequest {
  readonly method: string;
  readonly params: JsonObject;
  /** What the feature calls it, where requests have names. */
  readonly key?: string;
}

/** What a method may do while it answers, in every protocol version. */
export interface RequestScope {
  /** Aborts when the client hangs up or cancels the request, and when the session or the process ends. */
  readonly signal: AbortSignal;
  /** Whether the client cancelled the request, in the way that its protocol version has for that. */
  readonly isCancelled: boolean;
  /** Aborts when an answer has to come soon that says how to go on: the caller's token is over. Absent where the stream alone ends. */
  readonly leaving?: AbortSignal;
  /** Sends a message before the answer; the response becomes an event stream. */
  push(message: Pushed): void;
  /** Ends the connection while the work goes on here, where a client can come back for the rest. */
  closeStream?(): void;
}

/** A request, as far as what only reads needs it. */
export interface ReadCall {
  readonly params: Readonly<Record<string, unknown>> | undefined;
  readonly caller: TaskCaller;
}

/** A request as all protocol versions have it; each adds what only it has. */
export interface Call extends ReadCall {
  readonly id: RequestId;
  readonly method: string;
  readonly requester: Requester;
  /** The session that outlasts the request, where there is one. */
  readonly sessionId?: string;
  readonly scope: RequestScope;
  /** Asks the client for a feature that runs within the request. @throws TaskError `INPUT_FAILED`, `CLIENT_LACKS_CAPABILITY` */
  ask(request: ClientRequest): Promise<JsonObject>;
  /** What is reported of the request. */
  readonly operation: Operation;
}

/**
 * One JSON-RPC method; what else is known of it stands at its name in `METHODS`.
 *
 * `reads` has no effects and knows its caller from the request alone, so that it may run while its
 * session is still being looked up. `acts` needs the whole call. `waits` acts, and may take longer than
 * an answer should be silent.
 */
export type Method<C extends Call = Call> = { readonly name: MethodName } & (
  | { readonly kind: 'reads'; handle(call: ReadCall): Promise<Result> | Result }
  | { readonly kind: 'acts' | 'waits'; handle(call: C): Promise<Result> | Result }
);
