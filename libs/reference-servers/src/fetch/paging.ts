/** Cuts a text into parts. It counts Unicode characters, like the reference server, and never cuts one. */

/** A part of a text, and where the next one begins if there is one. */
export interface TextPart {
  readonly text: string;
  readonly next?: number;
}

/** @returns undefined when the text ends at or before the start */
export function partOf(text: string, start: number, maxLength: number): TextPart | undefined {
  const from = offsetOf(text, start, 0);
  if (from >= text.length) return undefined;
  const to = offsetOf(text, maxLength, from);
  return { text: text.slice(from, to), ...(to < text.length && { next: start + maxLength }) };
}

/** @returns the offset that lies so many characters after the other one, at most the length */
function offsetOf(text: string, characters: number, from: number): number {
  let offset = from;
  for (let left = characters; left > 0 && offset < text.length; left--) offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  return offset;
}
