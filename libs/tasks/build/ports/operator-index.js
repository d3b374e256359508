/** What one call of `OperatorIndex.page` looks at, at most. */
export const MAX_CANDIDATES = 5_000;
//# sourceMappingURL=operator-index.js.map