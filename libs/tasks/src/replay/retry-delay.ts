import { shown } from '../domain/shown.js';
import { optionsOf } from '../given.js';
import { durationOf, type Milliseconds, wholeMs } from '../domain/milliseconds.js';
import { codeOf } from './recorded-error.js';
import type { RetryPolicy } from './step-context.js';

/** The members of a retry policy. */
export const RETRY_MEMBERS = ['attempts', 'initialMs', 'factor', 'maxMs', 'jitter'] as const;

/**
 * Checks what an author has said of retries.
 *
 * @param of as in `step "a"`
 * @param refusal makes the error of its message
 * @throws RangeError, or what `refusal` makes, that names the field, for what is no number of tries, no time, or no factor
 */
export function checkRetryPolicy(of: string, policy: RetryPolicy, refusal?: (message: string) => Error): void {
  const refused = (message: string): Error => refusal?.(message) ?? new RangeError(message);
  const { attempts = 1, initialMs = 0, factor = 1, maxMs = 0, jitter = 0 } = optionsOf(of, policy, RETRY_MEMBERS, refused);
  if (typeof attempts !== 'number' || !(attempts >= 1))
    throw refused(`${of}: attempts must be a number of tries from 1, and is ${shown(attempts)}.`);
  if (typeof factor !== 'number' || !(factor >= 0 && factor < Infinity))
    throw refused(`${of}: factor must be a number from 0, and is ${shown(factor)}.`);
  if (typeof jitter !== 'number' || !(jitter >= 0 && jitter <= 1))
    throw refused(`${of}: jitter must be a number from 0 to 1, and is ${shown(jitter)}.`);
  durationOf(`${of}: initialMs`, initialMs, 0, refused);
  durationOf(`${of}: maxMs`, maxMs, 0, refused);
}

/**
 * When to try again after failed try number `attempt` (from 1), or `undefined` when it was the last.
 *
 * @param random from 0 to 1, drawn by the caller
 */
export function retryDelayMs(policy: RetryPolicy | undefined, attempt: number, random: number): Milliseconds | undefined {
  const { attempts = 1, initialMs = 1_000, factor = 2, maxMs = 60_000, jitter = 0.2 } = policy ?? {};
  if (attempt >= attempts) return undefined;
  // After many tries the growth is infinite.
  const delay = initialMs === 0 ? 0 : Math.min(initialMs * factor ** (attempt - 1), maxMs);
  return wholeMs(delay * (1 - jitter + jitter * random));
}

/** Whether trying again is of no use: the author said so, or it is a JSON-RPC error that belongs to the caller. */
export function isTerminal(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (thrown.name === 'TerminalError') return true;
  const code = codeOf(thrown);
  return typeof code === 'number' || code === 'NOT_SERIALIZABLE' || code === 'INVALID_KEY' || code === 'CLIENT_LACKS_CAPABILITY';
}
