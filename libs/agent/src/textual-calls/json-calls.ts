/** Reads calls that are written as JSON objects with `name` and `arguments`, or `parameters`: of Hermes, Mistral and Llama 3. */
import { isJsonObject, type Json } from '@longhaul/tasks';
import type { CallSource } from './call-source.js';
import { broken, type FoundCall, type Reading } from './found-call.js';
import { readJsonAt } from './json-value.js';
import { matchAt } from './text-search.js';

const BETWEEN = /[\s,;]*/y;

/** Reads one call, several with `;` or a comma or white space between, or a list of calls. The end of the list may be missing. */
export function readJsonCalls({ text, mayEndAt }: CallSource, at: number): Reading {
  const calls: FoundCall[] = [];
  const isList = text.charAt(at) === '[';
  let end = at + (isList ? 1 : 0);
  for (;;) {
    const next = afterSeparators(text, end);
    if (isList && text.charAt(next) === ']') return { calls, end: next + 1 };
    if (text.charAt(next) !== '{') return calls.length > 0 && (!isList || mayEndAt(next)) ? { calls, end } : { ...broken(next), calls };
    const read = readJsonAt(text, next, mayEndAt);
    const call = read && callOf(read.value);
    // Its arguments may be what is missing.
    const isCut = call?.arguments === undefined && read?.isWhole === false;
    if (read === undefined || call === undefined || isCut) return { ...broken(next), calls };
    calls.push(call);
    end = read.end;
  }
}

function afterSeparators(text: string, at: number): number {
  return at + (matchAt(BETWEEN, text, at)?.[0].length ?? 0);
}

function callOf(value: Json): FoundCall | undefined {
  if (!isJsonObject(value)) return undefined;
  // Some models write the object as an endpoint would: `{"type": "function", "function": {…}}`.
  if (value['function'] !== undefined) return callOf(value['function']);
  const name = value['name'];
  if (typeof name !== 'string') return undefined;
  const given = value['arguments'] === undefined ? value['parameters'] : value['arguments'];
  return given === undefined ? { name } : { name, arguments: argumentsText(given) };
}

/** Some models write the arguments as a string of JSON. */
function argumentsText(given: Json): string {
  if (given === null || given === '') return '{}';
  return typeof given === 'string' ? given : JSON.stringify(given);
}
