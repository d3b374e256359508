const POLL_INTERVAL_MS = 5;

/** Ends a wait in vain. It is far longer than what is waited for takes on a busy machine, so it says nothing about speed. */
const LIMIT_MS = 60_000;

/** How long to wait, and what for, in the words of the failure. */
export interface WaitOptions {
  readonly timeoutMs?: number;
  readonly description: string;
}

/**
 * Resolves with the first value of `predicate` that is neither `undefined` nor `false`.
 *
 * @throws Error that names the description when the time has expired; an error of `predicate` at once.
 */
export async function waitUntil<T>(
  predicate: () => T | Promise<T>,
  { timeoutMs = LIMIT_MS, description }: WaitOptions,
): Promise<Exclude<T, undefined | false>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await predicate();
    if (value !== undefined && value !== false) return value as Exclude<T, undefined | false>;
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs} ms in vain until ${description}.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}
