const DEFAULTS = {
    maxRounds: 5,
    maxTokens: Infinity,
    maxMs: Infinity,
    maxCallsPerMessage: 32,
    maxModelTries: 5,
    maxModelWaitMs: 60_000,
    maxResultTextBytes: 64 * 1024,
    maxResultImageBytes: 1024 * 1024,
};
/** @throws RangeError that names a limit which is no number of at least 1, or no whole number */
export function limitsOf(limits = {}) {
    const stated = Object.entries(limits).filter(([, limit]) => limit !== undefined);
    for (const [name, limit] of stated) {
        if (!(limit >= 1) || (Number.isFinite(limit) && !Number.isInteger(limit))) {
            throw new RangeError(`The agent's limit ${name} is ${limit}; it has to be a whole number of at least 1.`);
        }
    }
    return { ...DEFAULTS, ...Object.fromEntries(stated) };
}
//# sourceMappingURL=agent-limits.js.map