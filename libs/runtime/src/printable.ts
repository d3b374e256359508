/** Makes text of models and servers safe for a terminal: it must not move the cursor, change the title or type for the user. */

/** Without control characters and sequences, other than line breaks and tabs; nor marks that turn the direction of writing. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(SEQUENCE, '').replaceAll(CONTROL, '');
}

/** The same for a text that comes in parts: a sequence, and a character, may begin in one part and end in another one. */
export function printableParts(): (part: string) => string {
  let unfinished = '';
  return (part) => {
    const text = unfinished + part;
    const at = UNFINISHED.exec(text)?.index ?? text.length;
    unfinished = text.slice(at);
    return printable(text.slice(0, at));
  };
}

/** The same on one line, cut off after some characters. */
export function printableLine(text: string, length: number): string {
  const line = Array.from(printable(text).replaceAll(/\s+/g, ' ').trim());
  return line.length <= length ? line.join('') : `${line.slice(0, length - 1).join('')}…`;
}

/** JSON with escapes in place of characters that a terminal obeys: the same values, whoever reads them. */
export function printableJson(json: string): string {
  return json.replaceAll(ACTIVE, escapeOf);
}

/** A text in which everything can be seen, for somebody who decides about it: with escapes in place of characters that have no width. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(INVISIBLE, escapeOf);
}

/** The same of a value, as JSON. */
export function visibleJson(value: object, indent?: number): string {
  return visible(JSON.stringify(value, undefined, indent));
}

/** As JSON escapes it. */
export function escapeOf(character: string): string {
  return Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
}

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const SEQUENCE = /\u001B(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[ -/]*[0-~])/g;
// oxlint-disable-next-line no-control-regex -- the same
const UNFINISHED = /\u001B(?:\[[0-?]{0,100}[ -/]{0,100}|[\]PX^_][^\u0007\u001B]{0,1000}\u001B?|[ -/]{0,100})$|[\uD800-\uDBFF]$/;
const CONTROL = /(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu;
/** What JSON has as it is of control characters, and of marks that turn the direction of writing. */
export const ACTIVE = /[\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
