/** Why a command was rejected; each is stable, and nothing was appended. */
export type RejectionCode =
  | 'TASK_EXISTS'
  | 'TASK_NOT_FOUND'
  | 'TASK_ENDED'
  | 'PASS_NOT_DUE'
  | 'FENCED'
  | 'KEY_IN_USE'
  | 'UNKNOWN_KEY'
  | 'UNKNOWN_INPUT'
  | 'TOO_MANY_INPUTS'
  | 'ANSWER_DOES_NOT_FIT'
  | 'SIGNAL_DOES_NOT_FIT'
  | 'TOO_MANY_SIGNALS';

/** Thrown by `decide` when a command is not allowed in the present state. */
export class CommandRejected extends Error {
  override readonly name = 'CommandRejected';

  constructor(
    readonly code: RejectionCode,
    message: string,
    /** What it is about, such as `content.name`. */
    readonly field?: string,
  ) {
    super(message);
  }
}
