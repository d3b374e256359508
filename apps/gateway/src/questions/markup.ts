/** Writes HTML of texts that come from anywhere: what is not marked as HTML is escaped. */

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = string | false | undefined | Html | readonly Html[];

/** HTML with values in it; nothing and false are left out. Values of attributes have to stand in quotes. */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((text, part, index) => text + shown(values[index - 1]) + part));
}

function shown(value: Value): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return value.replaceAll(/[&<>"']/g, (character) => ESCAPED[character] ?? '');
}
