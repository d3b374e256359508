/** Finds the end and the value of JSON within a text. */
import type { Json } from '@longhaul/tasks';

/** Levels of a value of JSON or Python that is read from a text. A deeper one counts as broken: what walks through it next may recurse. */
export const MAX_DEPTH = 100;

/** The characters that JSON allows outside of its strings. */
const STRUCTURE = /[\s{}[\],:0-9.+\-eEtrufalsn"]/;

/** How far a piece of JSON goes. */
interface Extent {
  readonly end: number;
  /** The brackets that are missing at its end. */
  readonly missing: string;
}

/**
 * The extent of the JSON object or array that begins at `at`, found by its brackets. Undefined if it is cut within a string or too deep, or
 * if a bracket is wrong. It ends at the latest before something outside of its strings that JSON does not have.
 *
 * The stop at the first such character keeps the reading of hostile text linear. Every marker of a form has one. So of two attempts that
 * began at different markers, at most one can run across a third.
 */
function extentOfJson(text: string, at: number): Extent | undefined {
  const open: string[] = [];
  let index = at;
  for (; index < text.length; index++) {
    const character = text.charAt(index);
    if (!STRUCTURE.test(character)) break;
    if (character === '"') {
      index = endOfString(text, index);
      if (index >= text.length) return undefined;
    } else if (character === '{' || character === '[') {
      if (open.push(character === '{' ? '}' : ']') > MAX_DEPTH) return undefined;
    } else if (character === '}' || character === ']') {
      if (open.pop() !== character) return undefined;
      if (open.length === 0) return { end: index + 1, missing: '' };
    }
  }
  return { end: index, missing: open.toReversed().join('') };
}

/** The index of the quote that ends the string which begins at `at`, or the length of the text. */
function endOfString(text: string, at: number): number {
  let index = at + 1;
  while (index < text.length && text.charAt(index) !== '"') index += text.charAt(index) === '\\' ? 2 : 1;
  return index;
}

/** A value that was read from a text. */
export interface ReadValue {
  readonly value: Json;
  /** As it stands there, with the brackets that were missing. */
  readonly text: string;
  /** Whether no bracket was missing. */
  readonly isWhole: boolean;
  /** The index after it. */
  readonly end: number;
}

/**
 * Reads the JSON object or array that begins at `at`. Undefined if it is missing or broken.
 *
 * @param mayEndAt whether brackets may be missing that belong at this place: many models forget the last one
 */
export function readJsonAt(text: string, at: number, mayEndAt: (index: number) => boolean = () => false): ReadValue | undefined {
  if (text.charAt(at) !== '{' && text.charAt(at) !== '[') return undefined;
  const extent = extentOfJson(text, at);
  if (extent === undefined) return undefined;
  const { end, missing } = extent;
  const written = text.slice(at, end).trimEnd();
  const isWhole = missing === '';
  // The content of an open bracket is not known.
  if (!isWhole && (!mayEndAt(end) || /[{[]$/.test(written))) return undefined;
  const read = written + missing;
  const value = parseJson(read);
  return value === undefined ? undefined : { value, text: read, isWhole, end };
}

/** Parses JSON; undefined if it is none. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
