import type { JsonObject } from './json.js';

/** A question is asked again at most this often because its answer did not fit, by itself; it stays open after that. */
export const MAX_ASKED_AGAIN = 5;

/** The params of a question that is asked again, whose message begins with what was wrong with the answer. */
export function askedAgain<Params extends object>(params: Params, reason: string | undefined): Params {
  if (reason === undefined) return params;
  const { message } = params as { readonly message?: unknown };
  return { ...params, message: typeof message === 'string' ? `${reason}\n\n${message}` : reason };
}

/** What was wrong with the latest answer to a question, and how many did not fit. */
export interface RefusedAnswers {
  readonly times: number;
  readonly reason: string;
}

/** A question as it is to be asked now. */
export function presentParams({ params, refused }: { readonly params: JsonObject; readonly refused?: RefusedAnswers }): JsonObject {
  return askedAgain(params, refused?.reason);
}
