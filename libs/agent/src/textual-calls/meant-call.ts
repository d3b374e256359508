/**
 * Distinguishes calls from words about calls. An answer may quote one in code or show how one is written: it is still an answer. A text in
 * the position of a call that begins like a call was meant as one, although it cannot be read.
 */
import type { CallSource } from './call-source.js';
import { matchAt, type Search, searchOf, skipSpace } from './text-search.js';

/** Where a block of code begins or ends. A longer fence has shorter ones in its block. */
const FENCE = /^[ \t]*(`{3,8}|~{3,8})/gm;
/** The text after a mark where a call begins: JSON, a function, a name and its arguments, or nothing more. */
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
  /** The fence of the block that is open. */
  #open: string | undefined;
  /** The one that was found last, which may lie behind what was looked at; null if no more follow. */
  #fence: RegExpExecArray | null | undefined;
  readonly #closings = new Map<string, Search>();

  constructor(private readonly text: string) {}

  /**
   * Whether a call is quoted: it stands in a block of code with words behind it. A block that ends the text is how some models call.
   *
   * @param from the end of the part that was read before: the content of a call is no code of the text
   */
  isQuoted({ start, end }: Span, from: number): boolean {
    for (let found = this.#fenceFrom(from); found !== null && found.index < start; found = this.#fenceFrom(found.index + found[0].length)) {
      const fence = found[1] ?? '';
      if (this.#open === undefined) this.#open = fence;
      else if (fence.startsWith(this.#open)) this.#open = undefined;
    }
    if (this.#open === undefined) return false;
    const closing = this.#closingOf(this.#open)(end);
    return closing !== -1 && skipSpace(this.text, closing + this.#open.length) < this.text.length;
  }

  #fenceFrom(from: number): RegExpExecArray | null {
    if (this.#fence === null || (this.#fence !== undefined && this.#fence.index >= from)) return this.#fence;
    FENCE.lastIndex = from;
    this.#fence = FENCE.exec(this.text);
    return this.#fence;
  }

  #closingOf(fence: string): Search {
    const search = this.#closings.get(fence) ?? searchOf(this.text, fence, (index) => beginsLine(this.text, index, 0));
    this.#closings.set(fence, search);
    return search;
  }
}

/**
 * Whether something stands where calls stand: at the beginning or the end of a line, or next to another call. Within a sentence it is only
 * mentioned.
 */
export function standsAsCall(text: string, { start, end }: Span, before: number): boolean {
  return beginsLine(text, start, before) || matchAt(BREAK, text, end) !== undefined;
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
