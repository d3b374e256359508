/** The longest delay that Node's timers take: 24 days. */
const MAX_MS = 2 ** 31 - 1;
/** The delay as a timer takes it, both milliseconds. What lies further ahead has to be looked at again when the timer rings. */
export function timerDelay(ms) {
    return Math.min(Math.max(0, ms), MAX_MS);
}
//# sourceMappingURL=timer-delay.js.map