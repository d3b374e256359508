/** The beginning of a text, at most the given number of UTF-16 code units. No character is cut in two. */
export function firstCharacters(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}
