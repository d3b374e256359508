/** A request of protocol versions up to 2025-11-25: it belongs to a session, and its answer comes on a stream that other gateways can go on with. */
import type { LeaseHolder, Session } from '@longhaul/sessions/gateway';
import type { TaskId } from '@longhaul/tasks';
import type { Call, Method, RequestScope } from '../../rpc/method.js';

/** What a method may do while it answers: the stream that its answer will come on. */
export interface SessionScope extends RequestScope {
  /** Whether messages can go out before the answer: the client takes a stream of events. */
  readonly takesMessages: boolean;
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

/** A request in its session. */
export interface SessionCall extends Call {
  readonly session: Session;
  readonly scope: SessionScope;
}

/** A method of these protocol versions; those that all versions share are among them. */
export type SessionMethod = Method<SessionCall>;
