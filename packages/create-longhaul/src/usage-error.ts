/** An error that the user can fix. Its message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
