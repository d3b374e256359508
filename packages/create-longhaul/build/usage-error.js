/** What the user can put right. Its message is one line. */
export class UsageError extends Error {
    name = 'UsageError';
}
//# sourceMappingURL=usage-error.js.map