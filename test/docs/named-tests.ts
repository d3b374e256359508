/** Tests that documents name: by their file, and by group and title within that. */
import { exists, textOf } from './documents.js';

/** @returns the file, group or title that there is not; nothing when the test exists */
export function missingTest(named: string): string | undefined {
  const [path = '', ...titles] = named.split(' › ');
  return exists(path) ? missingTitle(textOf(path), titles) : path;
}

/** The first of the titles, each within the one before, that the file has not. */
function missingTitle(source: string, titles: readonly string[]): string | undefined {
  let rest = source;
  for (const [at, title] of titles.entries()) {
    // What is followed by a function is a title, and not some argument of the same text.
    const place = rest.search(new RegExp(`(['"\`])${escaped(title)}\\1,\\s*(\\{[^}]*\\},\\s*)?(async )?\\(`));
    if (place === -1) return title;
    rest = rest.slice(place);
    // A title within a group is looked for up to the next group of the same depth.
    const end = at === titles.length - 1 ? -1 : rest.slice(1).search(/^describe/m);
    if (end !== -1) rest = rest.slice(0, end + 1);
  }
  return undefined;
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
