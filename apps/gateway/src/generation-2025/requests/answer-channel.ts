import type { LeaseHolder } from '@longhaul/sessions/gateway';
import type { TaskId } from '@longhaul/tasks';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { BoundRequest } from './session-call.js';
import type { AnswerHead } from '../../rpc/errors.js';

/** The part of a request's HTTP response that carries its answer. */
export interface AnswerChannel {
  /** The lease holder for requests on this response. */
  readonly holder: LeaseHolder;
  /** Whether the client accepts messages before the answer; otherwise none are sent. */
  readonly takesMessages: boolean;
  /** Names the task that the answer belongs to: then any gateway can continue the request, in the same way. */
  bind(requestId: RequestId, taskId: TaskId, bound?: BoundRequest): void;
  /** Whether the request with this id was sent on the stream that this response continues. */
  hasSent(id: string): boolean;
  /** Sends a message before the answer. @param isExclusive whether only the stream's present writer may send it */
  push(message: object, isExclusive: boolean): void;
  /** Sends an answer; the last one ends the response. */
  answer(message: object, head: AnswerHead, isExclusive: boolean): void;
  /** Marks one answer as cancelled: it will not come. @param isExclusive whether only the stream's present writer may do so */
  withdraw(isExclusive: boolean): void;
  /**
   * Ends the connection in a way that makes the client continue at another gateway, which can answer as well, or with another token.
   *
   * @param otherwise called instead if the client does not support that
   */
  sendElsewhere(otherwise: () => void): void;
}
