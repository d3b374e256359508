/** What is wrong with a model's reply. */
export type ReplyProblemCode =
  /** A call in the text is cut or broken: it stays text. */
  | 'UNREADABLE_CALL'
  /** A call in the text names a tool that was not offered: it stays text. */
  | 'UNKNOWN_TOOL'
  /** The reply does not fit the schema that it was asked to fit: all of it stays text. */
  | 'UNREADABLE_REPLY';

/** Something wrong with a reply that could be read all the same, for a log. */
export interface ReplyProblem {
  readonly code: ReplyProblemCode;
  /** One line for people, with the beginning of what the model wrote. */
  readonly message: string;
}

const EXCERPT_CHARACTERS = 200;

/** The beginning of what a model wrote from `at` on, on one line. */
export function excerpt(text: string, at = 0): string {
  const beginning = text
    .slice(at, at + EXCERPT_CHARACTERS)
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .trim();
  return at + EXCERPT_CHARACTERS < text.length ? `${beginning}…` : beginning;
}
