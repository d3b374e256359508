import { cutText, FIELD_LIMITS } from '../field-limits.js';

/** Whether what a pass asks in this moment is wanted. */
export class Wanted {
  private now: AbortSignal | undefined;

  /** Withdraws what is asked in this moment, when it aborts. */
  get signal(): AbortSignal | undefined {
    return this.now;
  }

  /** Has what is asked within `asks`, before its first `await`, withdrawn when the signal aborts. */
  until<T>(signal: AbortSignal, asks: () => T): T {
    const before = this.now;
    this.now = signal;
    try {
      return asks();
    } finally {
      this.now = before;
    }
  }
}

/** Gives up what is begun in this moment when the signal of `whileWanted` aborts, or at once if it has. */
export function onceUnwanted({ wanted: { signal: wanted } }: { readonly wanted: Wanted }, giveUp: (reason: string) => void): void {
  if (wanted === undefined) return;
  const aborted = (): void => {
    const { reason } = wanted as { readonly reason: unknown };
    giveUp(cutText(reason instanceof Error ? reason.message : String(reason), FIELD_LIMITS.errorMessageBytes));
  };
  if (wanted.aborted) aborted();
  else wanted.addEventListener('abort', aborted, { once: true });
}
