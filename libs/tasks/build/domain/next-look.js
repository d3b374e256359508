import { nextDeadline } from './next-deadline.js';
import { nextPass } from './next-pass.js';
/** No unfinished task goes without a look for longer, in any state. */
export const LONGEST_LOOK_MS = 3_600_000;
/** A pass that is due at a later time, such as after a timer, is dispatched by then; this much later it is looked for. */
export const DUE_GRACE_MS = 5_000;
/**
 * The milliseconds until a process must look, at the latest, whether the task goes on by itself: its job may be lost,
 * or its worker, or its deadline may pass.
 *
 * @returns infinity for a task that does not exist or has ended
 */
export function nextLook(state, now, { dueMs, runningMs }) {
    if (state.version === 0 || state.outcome !== undefined)
        return Number.POSITIVE_INFINITY;
    const deadline = nextDeadline(state)?.at ?? Number.POSITIVE_INFINITY;
    return Math.min(Math.max(0, deadline - now), state.pass.phase === 'running' ? runningMs : restsFor(state, now, dueMs), LONGEST_LOOK_MS);
}
function restsFor(state, now, dueMs) {
    const dueAt = nextPass(state)?.dueAt ?? Number.POSITIVE_INFINITY;
    return dueAt <= now ? dueMs : dueAt - now + DUE_GRACE_MS;
}
//# sourceMappingURL=next-look.js.map