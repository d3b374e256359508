/**
 * Defines the questions of servers during calls of their tools, and the answers. Both are recorded, so that a replay relays and answers the
 * same.
 */
import type { JsonObject } from '@longhaul/tasks';

/** The kinds of questions. */
export type QuestionKind = 'elicitation' | 'sampling' | 'roots';

/** A question, without what belongs to the connection on which it came. */
export interface Question {
  readonly kind: QuestionKind;
  readonly params: JsonObject;
}

/** The answer of the task's client, or the reason why there is none. */
export type Answer = { readonly value: JsonObject } | { readonly error: string };

/** A question as it is recorded: the same one is the same text, on any connection. */
export function questionOf(kind: QuestionKind, params: object = {}): Question {
  const { _meta: _, task: __, ...asked } = params as JsonObject;
  return { kind, params: asked };
}

/** The key of a question. */
export function keyOf({ kind, params }: Question): string {
  return JSON.stringify([kind, params]);
}

/** The value of an answer. @throws Error with the reason why there is none */
export function valueOf(answer: Answer): JsonObject {
  if ('error' in answer) throw new Error(answer.error);
  return answer.value;
}
