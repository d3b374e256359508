/** An error that the user can fix. Only its message is printed, in one line. */
export class UserError extends Error {
  override readonly name = 'UserError';
  /** 1: it failed. 2: the command line is not understood. Commands may have others. */
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The `code` of a failed system call, such as `EADDRINUSE`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
