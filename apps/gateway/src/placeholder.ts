/** What examples, templates and tutorials have in place of a secret. */
const WORDS =
  /(replace|change)[-_. ]?(me|this|it)|place[-_. ]?holder|example|your[-_. ]?(own|secret|token|key|password)|secret[-_. ]?here|^<.*>$/i;

/** Fewer different characters than this are no random text, such as `xxxxxxxxxxxxxxxx`. */
const LEAST_DIFFERENT_CHARACTERS = 6;

/** Whether a secret was never set, but left as somebody else wrote it: everyone knows such a secret. */
export function isPlaceholder(secret: string): boolean {
  return WORDS.test(secret) || new Set(secret).size < LEAST_DIFFERENT_CHARACTERS;
}
