/**
 * Splits a command into words like a shell: at spaces outside of quotes. A backslash takes the next character as it is. Other features of a
 * shell, such as variables, are missing.
 *
 * @returns undefined when a quote is not closed
 */
export function splitWords(command: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (const [, plain, single, double, escaped, space, open] of command.matchAll(TOKEN)) {
    if (open !== undefined) return undefined;
    if (space === undefined) word = `${word ?? ''}${plain ?? single ?? double?.replaceAll(/\\(["\\])/g, '$1') ?? escaped ?? ''}`;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}

const TOKEN = /([^\s'"\\]+)|'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|(\s+)|(['"\\])/gs;
