/** So many passes a worker names at most: those that have run for longest, so that one that is stuck is among them. */
export const MAX_LISTED_PASSES = 50;
/** As it is stored: named one by one, since the worker's own object may have more. */
export function detailsOf({ workerId, version, tools, lockToken, startedAt, slots, busy, running }) {
    const passes = running?.slice(0, MAX_LISTED_PASSES).map(({ taskId, since }) => ({ taskId, since }));
    return JSON.stringify({ workerId, version, tools, lockToken, startedAt, slots, busy, running: passes });
}
/**
 * With these the death of a worker is noticed 3.5 to 4.5 s after it, and its jobs go on half a second later. Shorter
 * times would take a busy machine for a dead one.
 */
export const DEFAULT_WORKER_TIMES = { beatMs: 500, deadAfterMs: 4_000 };
//# sourceMappingURL=worker-registry.js.map