/** Reads calls that are a name and then JSON, as DeepSeek V3.1 and newer Mistral models write them. */
import type { CallSource } from './call-source.js';
import { broken, type Reading } from './found-call.js';
import { readJsonAt } from './json-value.js';
import { matchAt } from './text-search.js';

const DEEPSEEK_NAME = /\s*([A-Za-z0-9_.-]+)\s*<｜tool▁sep｜>\s*/y;
const MISTRAL_NAME = /([A-Za-z0-9_.-]+)(?:\[CALL_ID\][A-Za-z0-9]+)?(?:\[ARGS\])?\s*/y;

/** Reads `N<｜tool▁sep｜>{…}`. */
export function readDeepSeekCall(source: CallSource, at: number): Reading {
  return readNamed(source, at, DEEPSEEK_NAME);
}

/** Reads `N[ARGS]{…}`; newer versions write `[CALL_ID]` before `[ARGS]`, and some leave both out. */
export function readMistralCall(source: CallSource, at: number): Reading {
  return readNamed(source, at, MISTRAL_NAME);
}

function readNamed({ text, mayEndAt }: CallSource, at: number, expression: RegExp): Reading {
  const head = matchAt(expression, text, at);
  if (!head) return broken(at);
  const start = at + head[0].length;
  const read = text.charAt(start) === '{' ? readJsonAt(text, start, mayEndAt) : undefined;
  if (!read) return broken(start);
  return { calls: [{ name: head[1] ?? '', arguments: read.text }], end: read.end };
}
