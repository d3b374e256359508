/**
 * Groups failures by what happened: the tool, the reason, the step, and for a reason that many errors share, the class of the message. A
 * class is a message without what differs from task to task: numbers, ids, quoted values and addresses.
 */
import { hashOf } from '../hash.js';
import { firstCharacters } from '../text.js';

const MAX_CLASS_LENGTH = 300;

/** A reason that says enough: a word that the engine or an author chose. */
const WORD = /^[A-Z][A-Z0-9_]*$/;

const QUOTED = /"[^"\n]*"|`[^`\n]*`|“[^”\n]*”|«[^»\n]*»|(?<![\p{L}\p{N}])'[^'\n]*'(?![\p{L}\p{N}])/gu;
const ADDRESS = /[a-z][a-z0-9+.-]{0,30}:\/\/\S+|\S+@\S+|(?<!\S)\/\S+/giu;
/** A word with a digit: a number, a time, or an id. */
const NUMBER = /[\p{L}\p{N}_.:-]*\p{N}[\p{L}\p{N}_.:-]*/gu;

/** A failed task, as far as its group depends on it. */
export interface FailureFacts {
  readonly tool: string;
  readonly reason: string;
  readonly step?: string | undefined;
  readonly message?: string | undefined;
}

/** The message without what differs from task to task. */
export function classOf(message: string): string {
  const [line = ''] = message.split('\n', 1);
  return firstCharacters(line, MAX_CLASS_LENGTH).replaceAll(QUOTED, '…').replaceAll(ADDRESS, '…').replaceAll(NUMBER, '#').trim();
}

/** The step, whichever of its uses it was: `charge:2` is `charge`, and `order-4711` is `#`. */
export function classOfStep(step: string): string {
  return classOf(step.replaceAll(/:\d+/g, ''));
}

/** What happened in words that are the same for all failures of the group. */
export function whatHappened({ reason, message = '' }: FailureFacts): string {
  return isWord(reason) ? reason : classOf(message) || reason;
}

/** The id of the group of a failure: the same everywhere and always. */
export function causeOf(failure: FailureFacts): string {
  const { tool, reason, step } = failure;
  return hashOf(JSON.stringify([tool, reason, step === undefined ? '' : classOfStep(step), whatHappened(failure)]));
}

/** `TOOL_ERROR` stands for all errors without a code. */
function isWord(reason: string): boolean {
  return reason !== 'TOOL_ERROR' && WORD.test(reason);
}
