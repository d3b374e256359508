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

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const SEQUENCE = /\u001B(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[ -/]*[0-~])/g;
// oxlint-disable-next-line no-control-regex -- the same
const UNFINISHED = /\u001B(?:\[[0-?]{0,100}[ -/]{0,100}|[\]PX^_][^\u0007\u001B]{0,1000}\u001B?|[ -/]{0,100})$|[\uD800-\uDBFF]$/;
const CONTROL = /(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu;
