import { partOfText } from '@longhaul/tasks/text';

/** Describes the mistakes of a model's reply. */
export type ReplyProblemCode =
  /** A text that was meant as a call is cut or broken. It stays text, and the model is asked for the call again. */
  | 'UNREADABLE_CALL'
  /** A call in the text names a tool that was not offered: it stays text, and the model receives a message about it. */
  | 'UNKNOWN_TOOL'
  /** The reply does not fit the schema that it was asked to fit: all of it is the answer. */
  | 'UNREADABLE_REPLY';

/** Something wrong with a reply. */
export interface ReplyProblem {
  readonly code: ReplyProblemCode;
  /** One line for people, with the beginning of what the model wrote. */
  readonly message: string;
}

/** Whether a reply is neither a call nor an answer: the model meant a call, and has to write it again. */
export function isToBeAskedAgain({
  toolCalls,
  problem,
}: {
  readonly toolCalls: readonly unknown[];
  readonly problem?: ReplyProblem;
}): boolean {
  return toolCalls.length === 0 && problem !== undefined && problem.code !== 'UNREADABLE_REPLY';
}

const EXCERPT_CHARACTERS = 200;

/** The beginning of what a model wrote from `at` on, on one line. */
export function excerpt(text: string, at = 0): string {
  const beginning = partOfText(text, at, at + EXCERPT_CHARACTERS)
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .trim();
  return at + EXCERPT_CHARACTERS < text.length ? `${beginning}…` : beginning;
}
