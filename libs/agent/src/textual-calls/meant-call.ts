/**
 * Tells calls from words about calls. An answer may quote one in code or show how one is written: it is an answer all the same. What
 * stands where calls stand, and begins as one does, was meant as one, though it cannot be read.
 */
import type { CallSource } from './call-source.js';
import { matchAt, type Search, searchOf, skipSpace } from './text-search.js';

const FENCE = '```';
/** What follows a mark where a call begins: JSON, a function, a name and its arguments, or nothing more. */
const BEGINNING =
  /\s*(?:```\w*\s*)?(?:[{[]|<function=|[\w.-]*\s*(?:<arg_key>|<\/tool_call>|<｜tool▁sep｜>|\[ARGS\]|\[CALL_ID\]|[{(]|>\s*(?:<|$(?![^]))|$(?![^])))/y;
/** The end of a line, or another call. */
const BREAK = /[ \t]*(?:\n|<|\[|$(?![^]))/y;
const JSON_CALL = /\s*\[?\s*\{\s*(?:"type"\s*:\s*"function"\s*,\s*)?"name"\s*:\s*"([^"\\]+)"\s*,\s*"(?:arguments|parameters)"\s*:/y;
const PYTHON_CALL = /\s*\[\s*([\w.-]+)\(/y;

/** Where something stands. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Follows a text from one call to the next, to see which stand in blocks of code. */
export class CodeBlocks {
  readonly #next: Search;
  readonly #closing: Search;
  #isOpen = false;

  constructor(private readonly text: string) {
    const isFence = (index: number): boolean => beginsLine(text, index, 0);
    this.#next = searchOf(text, FENCE, isFence);
    this.#closing = searchOf(text, FENCE, isFence);
  }

  /**
   * Whether a call is quoted: it stands in a block of code with words behind it. A block that ends the text is how some models call.
   *
   * @param from the end of what was looked at before: what is in a call is no code of the text
   */
  isQuoted({ start, end }: Span, from: number): boolean {
    for (let fence = this.#next(from); fence !== -1 && fence < start; fence = this.#next(fence + 1)) this.#isOpen = !this.#isOpen;
    if (!this.#isOpen) return false;
    const closing = this.#closing(end);
    return closing !== -1 && skipSpace(this.text, closing + FENCE.length) < this.text.length;
  }
}

/** Whether a mark stands where calls stand: at the beginning of a line or behind another call, or else with nothing behind it. */
export function standsAsCall(text: string, { start, end }: Span, before: number): boolean {
  return beginsLine(text, start, before) || skipSpace(text, end) === text.length;
}

/** Whether what follows a mark was meant as a call, though it cannot be read. */
export function beginsAsCall(text: string, afterMark: number, { start, end }: Span, before: number): boolean {
  if (matchAt(BEGINNING, text, afterMark)) return true;
  return end > afterMark && beginsLine(text, start, before) && matchAt(BREAK, text, end) !== undefined;
}

function beginsLine(text: string, at: number, before: number): boolean {
  let index = at;
  while (index > before && /[ \t]/.test(text.charAt(index - 1))) index -= 1;
  return index <= before || text.charAt(index - 1) === '\n';
}

/** Whether a text without a mark was meant as a call of one of the tools as a whole, though it cannot be read. */
export function isMeantAsWhole({ text, tools }: CallSource): boolean {
  const json = matchAt(JSON_CALL, text, 0);
  if (json) return tools.has(json[1] ?? '');
  const python = matchAt(PYTHON_CALL, text, 0);
  // Not the text of a link.
  return python !== undefined && tools.has(python[1] ?? '') && (text.endsWith(')]') || !text.includes(']'));
}
