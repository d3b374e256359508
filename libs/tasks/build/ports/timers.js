import { timerDelay } from '../timer-delay.js';
/** The timers of Node. */
export const NODE_TIMERS = {
    after(delayMs, ring) {
        const timer = setTimeout(ring, timerDelay(delayMs));
        return () => clearTimeout(timer);
    },
};
//# sourceMappingURL=timers.js.map