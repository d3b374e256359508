import { tooLong } from '@longhaul/tasks';

/** The mistake of a text that is longer than allowed, or cannot be sent back unchanged; `undefined` when there is none. */
export function unfit(field: string, text: string, maxBytes: number): string | undefined {
  return tooLong(field, text, maxBytes) ?? (text.isWellFormed() ? undefined : `${field} has half of a character (a lone surrogate)`);
}
