const HOUR_MS = 3_600_000;
/** What holds for tools that do not say otherwise, milliseconds. */
const DEFAULTS = { ttlMs: 300_000, pollIntervalMs: 1_000, maxRunMs: 7 * 24 * HOUR_MS, maxWaitMs: 24 * HOUR_MS };
/**
 * How long a task of the tool is kept, may run and may wait for its client.
 *
 * @param requestedTtlMs what the caller asks for; null for the longest, nothing for that of the tool
 * @param maxTtlMs how long an ended task is kept at most
 */
export function taskTimesOf(tool, requestedTtlMs, maxTtlMs) {
    const ttlMs = requestedTtlMs === null ? maxTtlMs : (requestedTtlMs ?? tool.ttlMs ?? DEFAULTS.ttlMs);
    return {
        ttlMs: Math.min(Math.max(Math.round(ttlMs), 1), maxTtlMs),
        pollIntervalMs: tool.pollIntervalMs ?? DEFAULTS.pollIntervalMs,
        maxRunMs: tool.maxRunMs ?? DEFAULTS.maxRunMs,
        maxWaitMs: tool.maxWaitMs ?? DEFAULTS.maxWaitMs,
    };
}
//# sourceMappingURL=task-times.js.map