import { ConnectionLostError } from '../errors.js';

/** How requests that are safe to repeat are repeated. The delay doubles each time. */
export interface RetryPolicy {
  readonly attempts: number;
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
}

/** Bridges a good minute without a server. */
export const DEFAULT_RETRIES: RetryPolicy = { attempts: 20, initialDelayMs: 200, maxDelayMs: 5_000 };

/**
 * Repeats a request that failed because of the connection.
 *
 * @param mayRepeat whether doing it again is safe after this error
 * @param signal ends the waiting between two attempts
 */
export async function withRetries<T>(
  policy: RetryPolicy,
  mayRepeat: (error: ConnectionLostError) => boolean,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let made = 1; ; made++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ConnectionLostError) || made >= policy.attempts || !mayRepeat(error)) throw error;
      await pause(delayMs(policy, made), signal);
    }
  }
}

/** How long to wait after so many failures. */
export function delayMs({ initialDelayMs, maxDelayMs }: RetryPolicy, failures: number): number {
  return Math.min(maxDelayMs, initialDelayMs * 2 ** (failures - 1));
}

/**
 * Waits.
 *
 * @throws the reason of the signal, as soon as it is aborted
 */
async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, ms);
  const abort = (): void => over.reject(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    await over.promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
