/**
 * Texts that leave a process are well-formed: half of a surrogate pair is no character, and strict readers refuse the whole message
 * that has one. So texts are cut between characters, and what others have written is repaired in the JSON that goes out.
 */

/** U+FFFD, as `String.prototype.toWellFormed` writes it. */
const REPLACEMENT = '\ufffd';

/** The beginning of a text, at most so many UTF-16 code units. No character is cut in two. */
export function firstCharacters(text: string, most: number): string {
  return partOfText(text, 0, most);
}

/** The end of a text, at most so many UTF-16 code units. No character is cut in two. */
export function lastCharacters(text: string, most: number): string {
  return partOfText(text, text.length - most, text.length);
}

/** The part between two positions of a text, in UTF-16 code units. No character is cut in two. */
export function partOfText(text: string, from: number, to: number): string {
  const start = Math.max(from, 0);
  return text.slice(isWithinCharacter(text, start) ? start + 1 : start, isWithinCharacter(text, to) ? to - 1 : to);
}

/** The text, or its beginning with an ellipsis if it has more than so many UTF-16 code units. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${firstCharacters(text, most)}…` : text;
}

function isWithinCharacter(text: string, at: number): boolean {
  return at > 0 && at < text.length && isBetween(text.charCodeAt(at - 1), 0xd8, 0xdb) && isBetween(text.charCodeAt(at), 0xdc, 0xdf);
}

function isBetween(unit: number, first: number, last: number): boolean {
  const high = unit >> 8;
  return high >= first && high <= last;
}

/** The escape of a surrogate, if the backslash is none that is escaped itself. `JSON.stringify` writes it for those that stand alone only. */
const SURROGATE = /\\ud[89a-f][0-9a-f]{2}/;
const SURROGATES = /\\ud[89a-f][0-9a-f]{2}/g;

/** A value as JSON for others, well-formed in its texts and its names. @throws TypeError for what is no JSON */
export function toWireJson(value: unknown): string {
  return wellFormedJson(JSON.stringify(value));
}

/** @param json as `JSON.stringify` writes it; nearly always it is looked through once, and is what goes out */
export function wellFormedJson(json: string): string {
  // Most texts have no backslash. A search for the text of an escape takes twenty times as long in a text with many of them.
  if (!json.includes('\\') || !SURROGATE.test(json)) return json;
  return json.replaceAll(SURROGATES, (escape, at: number) => (isEscaped(json, at) ? escape : REPLACEMENT));
}

function isEscaped(json: string, at: number): boolean {
  let start = at;
  while (start > 0 && json[start - 1] === '\\') start -= 1;
  return (at - start) % 2 === 1;
}
