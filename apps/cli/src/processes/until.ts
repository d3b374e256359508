import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MS = 20;

/**
 * Polls until the condition holds.
 *
 * @returns false when it still does not after `limitMs`
 * @throws the signal's reason when it aborts
 */
export async function until(condition: () => boolean | Promise<boolean>, limitMs: number, signal?: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    signal?.throwIfAborted();
    if (performance.now() > deadline) return false;
    await delay(INTERVAL_MS);
  }
  return true;
}
