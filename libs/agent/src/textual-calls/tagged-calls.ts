/**
 * Reads calls with tags as arguments, as Qwen3-Coder and GLM write them. The values have no quotes and no escapes. So a value may contain
 * its own closing tag only where nothing follows that would continue the form. The tool's schema decides its type.
 */
import type { CallSource } from './call-source.js';
import { broken, type Reading } from './found-call.js';
import { matchAt, skipSpace } from './text-search.js';
import { typedValue } from './typed-value.js';

const FUNCTION = /<function=\s*([^<>\s]+)\s*>/y;
const PARAMETER = /<parameter=([^<>\n]+)>/y;
const NAME = /[A-Za-z0-9_.-]+/y;

/** Reads `<function=N><parameter=K>V</parameter></function>`; the end of the function may be missing at the end of the text. */
export function readFunctionCall(source: CallSource, at: number): Reading {
  const { text } = source;
  const opening = matchAt(FUNCTION, text, at);
  if (!opening) return broken(at);
  const [tag, name = ''] = opening;
  const values: [name: string, text: string][] = [];
  let end = skipSpace(text, at + tag.length);
  for (let parameter = matchAt(PARAMETER, text, end); parameter; parameter = matchAt(PARAMETER, text, end)) {
    const start = end + parameter[0].length;
    const closing = source.parameterEnd(start);
    if (closing === -1) return broken(end);
    values.push([(parameter[1] ?? '').trim(), withoutOuterLineBreaks(text.slice(start, closing))]);
    end = skipSpace(text, closing + '</parameter>'.length);
  }
  const call = { name, arguments: argumentsOf(source, name, values) };
  if (text.startsWith('</function>', end)) return { calls: [call], end: end + '</function>'.length };
  return text.startsWith('</tool_call>', end) || isWholeAtEnd(source, end, values) ? { calls: [call], end } : broken(end);
}

/** Reads `N<arg_key>k</arg_key><arg_value>v</arg_value>`, up to the end of the call, which may be missing after a value. */
export function readArgumentPairs(source: CallSource, at: number): Reading {
  const { text } = source;
  const name = matchAt(NAME, text, at)?.[0];
  if (name === undefined) return broken(at);
  const values: [name: string, text: string][] = [];
  let end = skipSpace(text, at + name.length);
  while (text.startsWith('<arg_key>', end)) {
    const keyEnd = source.keyEnd(end);
    const value = keyEnd === -1 ? -1 : skipSpace(text, keyEnd + '</arg_key>'.length);
    if (value === -1 || !text.startsWith('<arg_value>', value)) return broken(end);
    const start = value + '<arg_value>'.length;
    const closing = source.argumentEnd(start);
    if (closing === -1) return broken(end);
    values.push([text.slice(end + '<arg_key>'.length, keyEnd).trim(), text.slice(start, closing)]);
    end = skipSpace(text, closing + '</arg_value>'.length);
  }
  if (!text.startsWith('</tool_call>', end) && !isWholeAtEnd(source, end, values)) return broken(end);
  return { calls: [{ name, arguments: argumentsOf(source, name, values) }], end };
}

/** Whether a call ends with the text, though its end is missing. Without values, and where the text was cut off, nothing says that it is whole. */
function isWholeAtEnd({ text, mayEndAt }: CallSource, end: number, values: readonly unknown[]): boolean {
  return end === text.length && values.length > 0 && mayEndAt(end);
}

/** The template writes a value on lines of its own. */
function withoutOuterLineBreaks(value: string): string {
  return value.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
}

function argumentsOf({ tools }: CallSource, tool: string, values: readonly (readonly [string, string])[]): string {
  const schema = tools.get(tool)?.parameters ?? {};
  return JSON.stringify(Object.fromEntries(values.map(([name, value]) => [name, typedValue(value, name, schema)])));
}
