/** How long unless it is configured. */
export const DEFAULT_KEEP_TIMES = { endedMs: 0, failedMs: 7 * 24 * 3_600_000 };
/** How long operators have a task that ended so, milliseconds; 0 for as long as its client. */
export function keptMsOf({ endedMs, failedMs }, status) {
    return status === 'failed' ? Math.max(endedMs, failedMs) : endedMs;
}
//# sourceMappingURL=keep-times.js.map