import type { Usage } from './chat-model.js';

/** Why a model did not answer. */
export type ModelErrorCode =
  /** The URL does not answer, the connection broke, or the endpoint answered 5xx. */
  | 'UNAVAILABLE'
  /** The endpoint takes no more for now. */
  | 'RATE_LIMITED'
  /** It did not answer in time. */
  | 'TIMEOUT'
  /** The key is missing or wrong. */
  | 'UNAUTHORIZED'
  /** The endpoint does not have this model. */
  | 'UNKNOWN_MODEL'
  /** The conversation is longer than the model takes, also without the results of tools. */
  | 'CONTEXT_OVERFLOW'
  /** It answered what is no chat completion, or with neither content nor calls nor choices. */
  | 'BAD_RESPONSE'
  /** It refused the request for another reason. */
  | 'REFUSED';

const WORTH_ANOTHER_TRY: ReadonlySet<ModelErrorCode> = new Set(['UNAVAILABLE', 'RATE_LIMITED', 'TIMEOUT', 'BAD_RESPONSE']);

/** A model did not answer. The message is for people and never has the key in it. */
export class ModelError extends Error {
  override readonly name = 'ModelError';

  /**
   * @param retryAfterMs how long the endpoint asks to wait, if it does
   * @param usage the usage of answers that could not be used
   */
  constructor(
    readonly code: ModelErrorCode,
    message: string,
    readonly retryAfterMs?: number,
    readonly usage?: Usage,
  ) {
    super(message);
  }

  /** Whether the same request may be answered later. */
  get isTransient(): boolean {
    return WORTH_ANOTHER_TRY.has(this.code);
  }
}
