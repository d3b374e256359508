const QUIET_MS = 60_000;
/** Warnings that many clients can cause: each text goes to the log once a minute at most, with how often it came since the last time. */
export function rareWarnings(logger, clock = () => performance.now()) {
    const said = new Map();
    return (message, fields = {}) => {
        const before = said.get(message);
        if (before !== undefined && clock() - before.at < QUIET_MS)
            return void before.times++;
        said.set(message, { at: clock(), times: 1 });
        logger.warn({ ...fields, times: before?.times ?? 1 }, message);
    };
}
//# sourceMappingURL=rare-warnings.js.map