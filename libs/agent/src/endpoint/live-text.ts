/**
 * Selects the part of a text that may be shown while it arrives in pieces. Thoughts are separate from the answer, and a part that may
 * become a call is held back. At the end the held part is shown, if the text had no call. The reply itself is read from the whole text, by
 * its codec.
 */
import type { ChatDelta } from '../model/chat-model.js';
import { type TextPart, ThoughtSplitter } from '../textual-calls/thought-splitter.js';

/** With these calls begin, wherever they stand. */
const CALL_MARKS = ['<tool_call>', '<function=', '<｜tool', '[TOOL_CALLS]', '<|python_tag|>', '<|python_start|>'];
/** With these begins an answer that may be a call as a whole. */
const WHOLE_CALL = /^[[{]/;

/** One text. */
export class LiveText {
  readonly #splitter: ThoughtSplitter;
  #state: 'start' | 'answer' | 'held' = 'start';
  #pending = '';

  /** @param isThinking whether a thought has begun before the text */
  constructor(isThinking = false) {
    this.#splitter = new ThoughtSplitter(isThinking);
  }

  /** The text that may be shown now. */
  push(text: string): ChatDelta[] {
    return this.#shown(this.#splitter.push(text));
  }

  /** The text that was held back, at the end of a text without a call. */
  rest(): ChatDelta[] {
    const shown = this.#shown(this.#splitter.end());
    const rest = this.#take(this.#pending.length);
    return rest === '' ? shown : [...shown, { text: rest }];
  }

  #shown(parts: readonly TextPart[]): ChatDelta[] {
    return parts.flatMap(({ kind, text }): ChatDelta[] => {
      if (kind === 'thought') return [{ reasoning: text }];
      const words = this.#words(text);
      return words === '' ? [] : [{ text: words }];
    });
  }

  #words(text: string): string {
    this.#pending += text;
    if (this.#state === 'start') this.#state = WHOLE_CALL.test(text) ? 'held' : 'answer';
    if (this.#state === 'held') return '';
    const marks = CALL_MARKS.map((mark) => this.#pending.indexOf(mark)).filter((at) => at !== -1);
    if (marks.length > 0) this.#state = 'held';
    return this.#take(marks.length > 0 ? Math.min(...marks) : this.#pending.length - unfinishedLength(this.#pending, CALL_MARKS));
  }

  #take(length: number): string {
    const taken = this.#pending.slice(0, length);
    this.#pending = this.#pending.slice(length);
    return taken;
  }
}

/** The length of the longest end of the text with which one of the marks may begin. */
function unfinishedLength(text: string, marks: readonly string[]): number {
  let longest = 0;
  for (const mark of marks) {
    for (let length = Math.min(mark.length - 1, text.length); length > longest; length -= 1) {
      if (mark.startsWith(text.slice(text.length - length))) longest = length;
    }
  }
  return longest;
}
