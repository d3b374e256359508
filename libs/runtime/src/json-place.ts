/** `position 12 (line 2 column 3)` in the parser's message. The rest of it may show a part of the text, which may be a secret. */
const PLACE = /\(line (\d+) column (\d+)\)/;

/** Where a text stops being JSON, for the end of a message: ` (line 2, column 3)`. Empty if `JSON.parse` did not say it. */
export function placeInJson(error: unknown): string {
  if (!(error instanceof SyntaxError)) return '';
  const [, line, column] = PLACE.exec(error.message) ?? [];
  if (line !== undefined) return ` (line ${line}, column ${column})`;
  return error.message.includes('end of JSON') ? ' (it ends in the middle)' : '';
}
