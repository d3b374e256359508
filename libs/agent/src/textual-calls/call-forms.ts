/**
 * Lists the forms in which models write calls, each with the mark that it begins with. Three of them share `<tool_call>`: the body decides.
 */
import type { CallSource } from './call-source.js';
import { broken, type Reading } from './found-call.js';
import { readJsonCalls } from './json-calls.js';
import { readDeepSeekCall, readMistralCall } from './named-calls.js';
import { readPythonCalls } from './python-value.js';
import { readArgumentPairs, readFunctionCall } from './tagged-calls.js';
import { matchAt, skipSpace } from './text-search.js';

/** A form with a mark. */
export interface CallForm {
  /** Reads what follows the mark. */
  readonly read: (source: CallSource, at: number) => Reading;
  /** The mark that ends it, if it has an end. */
  readonly closing?: string;
}

const DEEPSEEK_END = '<｜tool▁call▁end｜>';

/** By their marks. */
export const CALL_FORMS: Readonly<Record<string, CallForm>> = {
  '<tool_call>': { read: readTagged, closing: '</tool_call>' },
  // Qwen3-Coder often forgets the tag around it. Here the function's own name comes after the mark, so it is read from there.
  '<function=': { read: (source, at) => readFunctionCall(source, at - '<function='.length), closing: '</function>' },
  '<｜tool▁call▁begin｜>': { read: (source, at) => closed(source, readDeepSeekCall(source, at), DEEPSEEK_END), closing: DEEPSEEK_END },
  '[TOOL_CALLS]': { read: (source, at) => readMistral(source, skipSpace(source.text, at)) },
  '<|python_tag|>': { read: (source, at) => readBare(source, skipSpace(source.text, at)) },
  '<|python_start|>': { read: (source, at) => readBare(source, skipSpace(source.text, at)) },
};

/** The mark of a form, or the one of a result, which no model should write. */
export const MARK = /<tool_call>|<function=|<｜tool▁call▁begin｜>|\[TOOL_CALLS\]|<\|python_tag\|>|<\|python_start\|>|<tool_response>/g;
// oxlint-disable-next-line no-restricted-globals -- Of constants.
const MARK_HERE = new RegExp(MARK.source, 'y');
const CODE = /```\w*\s*/y;
const CODE_END = /\s*```/y;

/** Reads calls without a mark: JSON, or a pythonic list. */
export function readBare(source: CallSource, at: number): Reading {
  const { text } = source;
  const isPython = text.charAt(at) === '[' && text.charAt(skipSpace(text, at + 1)) !== '{';
  return isPython ? (readPythonCalls(text, at) ?? broken(at)) : readJsonCalls(source, at);
}

/** Reads what follows `<tool_call>`: JSON, maybe in a block of code, a function of Qwen3-Coder, or a name and its arguments as GLM writes them. */
function readTagged(source: CallSource, at: number): Reading {
  const { text } = source;
  const start = skipSpace(text, at);
  const code = matchAt(CODE, text, start);
  const body = start + (code?.[0].length ?? 0);
  if (text.charAt(body) === '{' || text.charAt(body) === '[') {
    const reading = readJsonCalls(source, body);
    const end = code === undefined ? undefined : matchAt(CODE_END, text, reading.end);
    return closed(source, { ...reading, end: reading.end + (end?.[0].length ?? 0) }, '</tool_call>');
  }
  return text.startsWith('<function=', body) ? readFunctionCall(source, body) : readArgumentPairs(source, body);
}

function readMistral(source: CallSource, at: number): Reading {
  const character = source.text.charAt(at);
  return character === '[' || character === '{' ? readJsonCalls(source, at) : readMistralCall(source, at);
}

/** Whether JSON is the whole body of its form: its closing follows, or the next form, or the end. */
function closed({ text }: CallSource, reading: Reading, closing: string): Reading {
  const next = skipSpace(text, reading.end);
  if (reading.isBroken || next === text.length || matchAt(MARK_HERE, text, next)) return reading;
  return text.startsWith(closing, next) ? { ...reading, end: next + closing.length } : broken(next);
}
