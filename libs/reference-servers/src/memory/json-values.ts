/** Reads the JSON values of a line. There should be only one. */
export interface JsonValues {
  /** Each is JSON. */
  readonly values: readonly string[];
  /** The rest of the line, which is not JSON. */
  readonly rest: string;
}

/** Splits a line. Two writers at once leave objects without a line break between them, and the last one may be cut. */
export function jsonValuesIn(line: string): JsonValues {
  if (isJson(line)) return { values: [line], rest: '' };
  const values: string[] = [];
  let rest = line;
  for (let end = endOfObject(rest); end > 0; end = endOfObject(rest)) {
    const value = rest.slice(0, end);
    if (!isJson(value)) break;
    values.push(value);
    rest = rest.slice(end).trimStart();
  }
  return { values, rest };
}

/** @returns the offset after the object that a text begins with; 0 when there is none, or it does not end */
function endOfObject(text: string): number {
  if (!text.startsWith('{')) return 0;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (token === '{') depth += 1;
    else if (token === '}') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return 0;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
