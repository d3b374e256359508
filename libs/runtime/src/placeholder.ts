/**
 * Words that examples, templates, tutorials and hasty people write instead of a secret. Random text contains them only once in millions.
 */
const WORDS =
  /replace|change[-_. ]?(me|this|it)|(set|fill)[-_. ](me|this|it|in)[-_. ]|place[-_. ]?holder|example|default|your[-_. ]?(own|token|key)|secret|password|qwerty/i;
/** The form of a template that is not filled in. */
const TEMPLATES = /^<.*>$|\$\{|\{\{/;
/** The same text repeated. */
const REPETITION = /^(.+?)(?:[-_. ]?\1)+$/;

/** If a larger share of the characters follow each other, such as in `0123456789abcdef`, the text is not random. */
const MOST_IN_A_ROW = 0.5;

/** Text with fewer different characters is not random, such as `xxxxxxxxxxxxxxxx`. */
const LEAST_DIFFERENT_CHARACTERS = 6;

/** Whether a secret was left as an example has it: such a secret is public. */
export function isPlaceholder(secret: string): boolean {
  if (WORDS.test(secret) || TEMPLATES.test(secret) || REPETITION.test(secret)) return true;
  return new Set(secret).size < LEAST_DIFFERENT_CHARACTERS || shareInARow(secret) > MOST_IN_A_ROW;
}

function shareInARow(text: string): number {
  let inARow = 0;
  for (let at = 1; at < text.length; at++) if (text.charCodeAt(at) - text.charCodeAt(at - 1) === 1) inARow += 1;
  return inARow / (text.length - 1);
}
