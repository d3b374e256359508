/** What can be read from what is typed into a field. */

/** A value of a form. */
export type FieldValue = string | number | boolean | string[];

/** What a typed text means. */
export type Reading = { readonly value: FieldValue | undefined } | { readonly problem: string };

/** A kind of field. */
export interface Kind {
  readonly hint: string;
  readonly choices?: readonly string[];
  /** @param given not empty, without space around it */
  read(given: string): Reading;
}

/** The limits as they are said, such as `from 1 to 5`; empty without any. */
export function range(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return least === most ? `exactly ${least}` : `from ${least} to ${most}`;
  if (least !== undefined) return `at least ${least}`;
  return most === undefined ? '' : `at most ${most}`;
}

/** Whether a number lies between the limits, which belong to it. */
export function isWithin(value: number, least: number | undefined, most: number | undefined): boolean {
  return value >= (least ?? -Infinity) && value <= (most ?? Infinity);
}
