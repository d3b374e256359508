/** That of operators, whose records must not be pushed out by those of callers, and those of callers. */
export const AUDIT_CHAINS = ['operators', 'callers-1', 'callers-2', 'callers-3', 'callers-4'];
/** The head of a chain without records. */
export const NO_HEAD = { number: 0, hash: '' };
//# sourceMappingURL=audit-log.js.map