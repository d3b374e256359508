/** The longest delay that Node's timers take: 24 days. */
const MAX_MS = 2 ** 31 - 1;

/** The delay as a timer accepts it, both in milliseconds. For a time further ahead, the caller must look again when the timer rings. */
export function timerDelay(ms: number): number {
  return Math.min(Math.max(0, ms), MAX_MS);
}
