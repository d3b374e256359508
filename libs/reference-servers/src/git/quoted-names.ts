/** Reads names of files that git quotes because a character would break its output: `"two\nlines"`. */

const QUOTED = /"(?:[^"\\]|\\.)*"/gs;

const ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Whether a name is in the form that git quotes names in. */
export function isQuoted(name: string): boolean {
  return /^"(?:[^"\\]|\\.)*"$/s.test(name);
}

/** The name that git has quoted; any other name as it is. */
export function unquoted(name: string): string {
  if (!isQuoted(name)) return name;
  const bytes = name.slice(1, -1).replace(/\\([0-7]{3}|.)|[^\\]+/gs, (all, escape: string | undefined) => {
    if (escape === undefined) return Buffer.from(all, 'utf8').toString('latin1');
    return escape.length === 3 ? String.fromCharCode(Number.parseInt(escape, 8)) : (ESCAPES[escape] ?? escape);
  });
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** A name that git lists, as it is. One with a line break stays quoted, so that it is one line. */
export function asItIs(listed: string): string {
  const name = unquoted(listed);
  return /[\r\n]/.test(name) ? listed : name;
}

/** The lines of `git status` with names as they are. */
export function withNamesAsTheyAre(status: string): string {
  // Only lines that begin with a tab have names, and git quotes every name that has a quote in it.
  return status.replace(/^\t.*$/gm, (line) => line.replace(QUOTED, asItIs));
}
