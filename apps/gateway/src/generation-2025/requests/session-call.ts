/**
 * Defines a request of protocol versions up to 2025-11-25: it belongs to a session, and other gateways can continue the stream with its
 * answer.
 */
import type { LeaseHolder, Session, StreamRequest } from '@longhaul/sessions/gateway';
import type { TaskId } from '@longhaul/tasks';
import type { Call, Method, RequestScope } from '../../rpc/method.js';

/** The abilities of a method while it answers: the stream that its answer will come on. */
export interface SessionScope extends RequestScope {
  /** Whether messages can be sent before the answer: the client accepts an event stream. */
  readonly takesMessages: boolean;
  /** Whether the connection ended before the answer, and its client is not known to be elsewhere. */
  readonly hasHungUp: boolean;
  closeStream(): void;
  /** Calls the listener when the request has its answer, or will get none. @returns a function that removes it */
  whenOver(listener: () => void): () => void;
  readonly stream: ScopeStream;
}

/** What another gateway must know of a request that waits for a task, to wait in the same way. */
export type BoundRequest = { readonly [K in 'handOverAt' | 'role']?: StreamRequest[K] | undefined };

/** The part of a request's stream that concerns other gateways. */
export interface ScopeStream {
  /** The lease holder for requests on the stream. */
  readonly holder: LeaseHolder;
  /** Whether an earlier gateway has already sent the request with this id on it. */
  hasSent(id: string): boolean;
  /**
   * Records that the answer belongs to a task, so that any gateway can continue when this one has ended.
   *
   * @param bound what another gateway must know to do so
   */
  bind(taskId: TaskId, bound?: BoundRequest): void;
}

/** A request in its session. */
export interface SessionCall extends Call {
  readonly session: Session;
  readonly scope: SessionScope;
}

/** A method of these protocol versions; methods that all versions share are among them. */
export type SessionMethod = Method<SessionCall>;
