import { tooLong } from '@longhaul/tasks';

/** What is said of a text that is longer than allowed, or cannot be sent back as it came; `undefined` when there is nothing. */
export function unfit(field: string, text: string, maxBytes: number): string | undefined {
  return tooLong(field, text, maxBytes) ?? (text.isWellFormed() ? undefined : `${field} has half of a character (a lone surrogate)`);
}
