/** Finds the next position from an index on, or -1. */
export type Search = (from: number) => number;

/**
 * Searches a text for a string, from positions that only increase. It remembers its results, so that all searches together read the text
 * once. Otherwise a text with many openings and no closing could slow down the reader.
 *
 * @param accepts whether an index where the string begins counts
 */
export function searchOf(text: string, sought: string, accepts: (index: number) => boolean = () => true): Search {
  let found: number | undefined;
  return (from) => {
    if (found === -1 || (found !== undefined && found >= from)) return found;
    let index = text.indexOf(sought, from);
    while (index !== -1 && !accepts(index)) index = text.indexOf(sought, index + sought.length);
    found = index;
    return index;
  };
}

const NOT_SPACE = /\S/g;

/** The index of the first character from `at` on that is no white space, or the length of the text. */
export function skipSpace(text: string, at: number): number {
  NOT_SPACE.lastIndex = at;
  return NOT_SPACE.exec(text)?.index ?? text.length;
}

/** Matches a sticky expression at a place. */
export function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | undefined {
  expression.lastIndex = at;
  return expression.exec(text) ?? undefined;
}
