import type { JsonObject } from './json.js';

/** A question is asked again at most this often because its answer did not fit, by itself; it stays open after that. */
export const MAX_ASKED_AGAIN = 5;

/** The params of a question that is asked again, with a message that begins with the fault of the answer. */
export function askedAgain<Params extends object>(params: Params, reason: string | undefined): Params {
  if (reason === undefined) return params;
  const { message } = params as { readonly message?: unknown };
  return { ...params, message: typeof message === 'string' ? `${reason}\n\n${message}` : reason };
}

/** The fault of the latest answer to a question, and how many answers did not fit. */
export interface RefusedAnswers {
  readonly times: number;
  readonly reason: string;
}

/** A question in the form in which it must be asked now. */
export function presentParams({ params, refused }: { readonly params: JsonObject; readonly refused?: RefusedAnswers }): JsonObject {
  return askedAgain(params, refused?.reason);
}
