/**
 * Separates thoughts from the rest of a text that arrives in pieces. Thoughts are between tags at the beginning of the text or of a line. A
 * tag within a line or in a block of code is only mentioned.
 */

/** Where thoughts begin and end, in any letter case. */
const TAGS = [
  ...['think', 'thinking', 'thought', 'reasoning', 'seed:think'].map((name) => [`<${name}>`, `</${name}>`] as const),
  ['[think]', '[/think]'] as const,
  ['<|start_thinking|>', '<|end_thinking|>'] as const,
  ['◁think▷', '◁/think▷'] as const,
].map(([opening, closing]) => ({ opening, closing, end: expressionOf([closing]) }));
const OPENING = expressionOf(TAGS.map(({ opening }) => opening));
const CLOSING = expressionOf(TAGS.map(({ closing }) => closing));
const FENCES = ['```', '~~~'];
const LINE_STARTS = [...TAGS.map(({ opening }) => opening), ...FENCES];
const LONGEST = Math.max(...TAGS.flatMap(({ opening, closing }) => [opening.length, closing.length]));

/** A part of a text. */
export interface TextPart {
  readonly kind: 'text' | 'thought';
  readonly text: string;
}

/** Takes one text. */
export class ThoughtSplitter {
  /** Of the thought that has begun. */
  #end: RegExp | undefined;
  /** Whether nothing but thoughts and white space has come. */
  #isStart = true;
  #isLineStart = true;
  #isInCode = false;
  /** Whether nothing more comes. */
  #isComplete = false;
  #pending = '';

  /** @param isThinking whether a thought has begun before the text */
  constructor(isThinking = false) {
    if (isThinking) this.#end = CLOSING;
  }

  /** The known part of the text so far, without the parts that were returned before. White space before the first words is left out. */
  push(text: string): TextPart[] {
    this.#pending += text;
    const parts: TextPart[] = [];
    for (let part = this.#next(); part !== undefined; part = this.#next()) if (part.text !== '') parts.push(part);
    return parts;
  }

  /** The last piece, with what was held back. */
  end(text = ''): TextPart[] {
    this.#isComplete = true;
    return this.push(text);
  }

  #next(): TextPart | undefined {
    if (this.#end !== undefined) return this.#nextThought(this.#end);
    if (this.#isStart) this.#pending = this.#pending.trimStart();
    if (this.#pending === '') return undefined;
    if (!this.#isLineStart) return this.#nextText();
    return this.#lineStart();
  }

  #nextThought(closing: RegExp): TextPart | undefined {
    const end = closing.exec(this.#pending);
    if (end === null) {
      // With the character before, which may say that the tag is only mentioned.
      const text = this.#take(Math.max(0, this.#pending.length - (this.#isComplete ? 0 : LONGEST)));
      return text === '' ? undefined : { kind: 'thought', text };
    }
    const text = this.#take(end.index);
    this.#take(end[0].length);
    this.#end = undefined;
    this.#isLineStart = true;
    // The white space between a thought and the answer belongs to neither.
    this.#isStart = true;
    return { kind: 'thought', text };
  }

  /** Looks what a line begins with, as soon as that can be seen. */
  #lineStart(): TextPart | undefined {
    const line = this.#pending.trimStart().slice(0, LONGEST).toLowerCase();
    if (!this.#isComplete && LINE_STARTS.some((start) => start.length > line.length && start.startsWith(line))) return undefined;
    const tags = this.#isInCode ? undefined : TAGS.find(({ opening }) => line.startsWith(opening));
    if (tags === undefined) {
      if (FENCES.some((fence) => line.startsWith(fence))) this.#isInCode = !this.#isInCode;
      return this.#nextText();
    }
    const before = this.#take(this.#pending.length - this.#pending.trimStart().length);
    this.#take(tags.opening.length);
    this.#end = tags.end;
    return { kind: 'text', text: before };
  }

  #nextText(): TextPart {
    const start = this.#pending.length - this.#pending.trimStart().length;
    const end = this.#pending.indexOf('\n', this.#isLineStart ? start : 0);
    this.#isStart = false;
    this.#isLineStart = end !== -1;
    return { kind: 'text', text: this.#take(end === -1 ? this.#pending.length : end + 1) };
  }

  #take(length: number): string {
    const taken = this.#pending.slice(0, length);
    this.#pending = this.#pending.slice(length);
    return taken;
  }
}

/** A text before and after the end of thoughts that began before it; undefined if there is none, or an opening comes first. */
export function splitAtOpenEnd(text: string): { readonly thought: string; readonly rest: string } | undefined {
  const end = CLOSING.exec(text);
  if (end === null) return undefined;
  const thought = text.slice(0, end.index);
  return OPENING.test(thought) ? undefined : { thought, rest: text.slice(end.index + end[0].length) };
}

/** Finds the first of some tags that does not stand in backticks. */
function expressionOf(tags: readonly string[]): RegExp {
  // oxlint-disable-next-line no-restricted-globals -- Of constants, each quoted.
  return new RegExp(tags.map((tag) => `(?<!\`)${tag.replaceAll(/[[\]|]/g, String.raw`\$&`)}`).join('|'), 'i');
}
