import type { z } from 'zod';

/** A smaller value costs little to check completely. */
const MAX_WHOLE = 1_000;

/** Objects and lists stop at their first wrong item; records do not. Zod sets it itself in `validate`, which says nothing of what is wrong. */
const EARLY = { abortEarly: true } as z.core.ParseContext<z.core.$ZodIssue>;

/**
 * Works like `schema.safeParse`, for values from outside. A large value is checked only up to its first wrong item: an issue for each of a
 * hundred thousand items takes seconds and a hundred megabytes. All issues of a small value are found.
 */
export function parseUntrusted<Schema extends z.ZodType>(schema: Schema, value: unknown): z.ZodSafeParseResult<z.output<Schema>> {
  const early = schema.safeParse(value, EARLY);
  return early.success || !hasAtMost(MAX_WHOLE, value) ? early : schema.safeParse(value);
}

/** Whether a JSON value has no more than so many values in it: items, members, and what holds them. */
export function hasAtMost(most: number, value: unknown): boolean {
  const found: unknown[] = [value];
  for (let at = 0; at < found.length; at++) {
    const one = found[at];
    if (typeof one !== 'object' || one === null) continue;
    for (const member in one) {
      if (found.length >= most) return false;
      found.push((one as Readonly<Record<string, unknown>>)[member]);
    }
  }
  return true;
}
