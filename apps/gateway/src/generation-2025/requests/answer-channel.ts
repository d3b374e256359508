import type { LeaseHolder } from '@longhaul/sessions/gateway';
import type { TaskId } from '@longhaul/tasks';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { AnswerHead } from '../../rpc/errors.js';

/** The HTTP response of a request, as far as its answer goes. */
export interface AnswerChannel {
  /** Who takes the leases of requests for this response. */
  readonly holder: LeaseHolder;
  /** Whether the client takes messages before the answer; otherwise none go out. */
  readonly takesMessages: boolean;
  /** Says whose task the answer is of: any gateway can go on with it. */
  bind(requestId: RequestId, taskId: TaskId): void;
  /** Whether the request with this id went out on the stream that this one goes on with. */
  hasSent(id: string): boolean;
  /** Sends a message before the answer. @param isExclusive whether only the stream's present writer may send it */
  push(message: object, isExclusive: boolean): void;
  /** Sends an answer; the last one ends the response. */
  answer(message: object, head: AnswerHead, isExclusive: boolean): void;
  /** One answer will not come: its request was cancelled. @param isExclusive whether only the stream's present writer may say so */
  withdraw(isExclusive: boolean): void;
  /**
   * Ends the connection in a way that has the client go on at another gateway, which can answer as well, or with another token.
   *
   * @param otherwise called in its place when the client does not know how to
   */
  sendElsewhere(otherwise: () => void): void;
}
