import { isJsonObject, type Json, type JsonObject } from '@longhaul/tasks';
import { parseJson, readJsonAt } from './json-value.js';
import { parsePython } from './python-value.js';
import { skipSpace } from './text-search.js';

/** Longer ones are refused in any case. */
const MAX_CHARACTERS = 1_048_576;
/** How often arguments are encoded as text at most. */
const MAX_LAYERS = 3;

/**
 * The arguments of a call as JSON, if they are an object in another form. It may be encoded twice, in a block of code, in Python's syntax,
 * with line breaks in strings or an extra comma, or without the last brackets. Other text is returned as it is, and so is JSON. `null`
 * stands for no arguments.
 *
 * @param isCut whether the end was cut off, so that nothing may be missing there
 */
export function readableArguments(text: string, isCut: boolean): string {
  if (text.trim() === 'null') return '{}';
  if (text.length > MAX_CHARACTERS || isJsonObject(parseJson(text))) return text;
  const value = objectIn(text, isCut, MAX_LAYERS);
  return value === undefined ? text : JSON.stringify(value);
}

function objectIn(text: string, isCut: boolean, layers: number): JsonObject | undefined {
  // Some servers begin with an empty object, and then send the arguments.
  const plain = withoutFence(text.trim()).replace(/^\{\s*\}\s*(?=\{)/, '');
  const value = parseJson(plain) ?? parsePython(plain) ?? completed(plain, isCut);
  if (typeof value === 'string' && layers > 0) return objectIn(value, isCut, layers - 1);
  return isJsonObject(value) ? value : undefined;
}

function completed(text: string, isCut: boolean): Json | undefined {
  const isEnd = (index: number): boolean => skipSpace(text, index) === text.length;
  const read = readJsonAt(text, 0, (index) => !isCut && isEnd(index));
  return read !== undefined && isEnd(read.end) ? read.value : undefined;
}

/** The content of a block of code, if the text is one. */
function withoutFence(text: string): string {
  return text.startsWith('```') && text.endsWith('```') && text.length >= 6 ? text.slice(3, -3).replace(/^\w*/, '').trim() : text;
}
