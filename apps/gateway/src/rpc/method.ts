import type { Caller, JsonObject, TaskId } from '@longhaul/tasks';
import type { RequestId, Result } from '@modelcontextprotocol/sdk/types.js';
import type { LeaseHolder } from '../state/delivery-lease-store.js';
import type { Session } from '../state/session.js';

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

/** What a method may do while it answers: the stream that its answer will come on. */
export interface RequestScope {
  /** Aborts when the client hangs up or cancels the request, and when the session or the process ends. */
  readonly signal: AbortSignal;
  /** Whether the client cancelled the request. Hanging up is not cancelling. */
  readonly isCancelled: boolean;
  /** Sends a message before the answer; the response becomes an SSE stream. */
  push(message: Pushed): void;
  /** Ends the connection while the work goes on here: a client that can resume comes back for the rest. */
  closeStream(): void;
  /** Calls the listener when the request has its answer, or will get none. @returns what keeps it from being called */
  whenOver(listener: () => void): () => void;
  readonly stream: ScopeStream;
}

/** The stream of a request, as far as other gateways have to do with it. */
export interface ScopeStream {
  /** Who takes the leases of the requests that go out on it. */
  readonly holder: LeaseHolder;
  /** Whether the request with this id has gone out on it already, from an earlier gateway. */
  hasSent(id: string): boolean;
  /** Says that the answer is that of a task, so that any gateway can go on when this one is gone. */
  bind(taskId: TaskId): void;
}

/** A request, as far as it needs no session. */
export interface ReadCall {
  readonly params: Readonly<Record<string, unknown>> | undefined;
  readonly caller: Caller;
}

/** A request in its session. */
export interface ActCall extends ReadCall {
  readonly id: RequestId;
  readonly method: string;
  readonly session: Session;
  readonly scope: RequestScope;
  /** Asks the client for a feature that runs within the request. @throws TaskError `INPUT_FAILED`, `CLIENT_LACKS_CAPABILITY` */
  ask(request: ClientRequest): Promise<JsonObject>;
  /** W3C trace context of the HTTP request. */
  readonly trace?: string;
}

/**
 * One JSON-RPC method.
 *
 * `reads` has no effects and knows its caller from the request alone, so that it may run while its
 * session is still being looked up. `acts` runs in a session that exists. `waits` acts, and may take
 * longer than an answer should be silent.
 */
export type Method = { readonly name: string } & (
  | { readonly kind: 'reads'; handle(call: ReadCall): Promise<Result> | Result }
  | { readonly kind: 'acts' | 'waits'; handle(call: ActCall): Promise<Result> | Result }
);
