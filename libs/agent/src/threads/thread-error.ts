/** Defines why a thread cannot be used. */

/** A thread cannot be used. The message is for the caller. */
export class ThreadError extends Error {
  override readonly name = 'ThreadError';

  constructor(
    readonly code: ThreadErrorCode,
    message: string,
  ) {
    super(message);
  }
}

export type ThreadErrorCode =
  /** Another run works on it. */
  | 'THREAD_BUSY'
  /** There is no thread of this name, or no message of this number. */
  | 'THREAD_NOT_FOUND'
  /** There is a thread of this name already. */
  | 'THREAD_EXISTS'
  /** The name is none, or the number is not that of a question. */
  | 'THREAD_INVALID'
  /** It has as many messages as a thread may have, or the owner has as many threads. */
  | 'THREAD_FULL';
