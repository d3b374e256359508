import { cutText, FIELD_LIMITS } from '../field-limits.js';
import type { PassRun } from './pass-run.js';

/** Gives up what is begun in this moment when the signal of `whileWanted` aborts, or at once if it has. */
export function onceUnwanted({ wanted }: Pick<PassRun, 'wanted'>, giveUp: (reason: string) => void): void {
  if (wanted === undefined) return;
  const aborted = (): void => {
    const { reason } = wanted as { readonly reason: unknown };
    giveUp(cutText(reason instanceof Error ? reason.message : String(reason), FIELD_LIMITS.errorMessageBytes));
  };
  if (wanted.aborted) aborted();
  else wanted.addEventListener('abort', aborted, { once: true });
}
