import { timerDelay } from '../timer-delay.js';

/** Sets timers; injected like the clock, so that a simulation decides when they ring. */
export interface Timers {
  /**
   * Calls `ring` once, `delayMs` milliseconds from now, or earlier where that is further ahead than timers reach.
   *
   * @returns a function that cancels it
   */
  after(delayMs: number, ring: () => void): () => void;
}

/** The timers of Node. */
export const NODE_TIMERS: Timers = {
  after(delayMs, ring) {
    const timer = setTimeout(ring, timerDelay(delayMs));
    return () => clearTimeout(timer);
  },
};
