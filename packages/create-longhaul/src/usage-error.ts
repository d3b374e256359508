/** What the user can put right. Its message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
