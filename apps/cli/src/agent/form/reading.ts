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
