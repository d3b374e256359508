import type { ModelErrorCode, Outcome } from '@longhaul/agent';

/** The exit codes of a run, for scripts. In addition, 1 is a failure that the user can fix, and 2 is a wrong command line. */
export const EXIT_CODES = { answered: 0, unavailable: 6, limit: 12, modelError: 13, refused: 14, failedCases: 15, cancelled: 130 } as const;

/** The same request may be answered later, or elsewhere: the model has not processed it. */
const UNAVAILABLE: ReadonlySet<ModelErrorCode | undefined> = new Set(['UNAVAILABLE', 'RATE_LIMITED', 'TIMEOUT']);

/** @param wasRefused whether a call that the model wanted was not allowed: then an answer is not the one that was asked for */
export function exitCodeOf({ outcome, errorCode }: Outcome, wasRefused: boolean): number {
  if (outcome === 'answered') return wasRefused ? EXIT_CODES.refused : EXIT_CODES.answered;
  if (outcome === 'cancelled') return EXIT_CODES.cancelled;
  if (outcome !== 'model-error') return EXIT_CODES.limit;
  return UNAVAILABLE.has(errorCode) ? EXIT_CODES.unavailable : EXIT_CODES.modelError;
}
