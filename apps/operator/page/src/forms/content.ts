/** Converts the entered texts to values for a schema. */
import { textIn, textsIn } from '../parts/form-text.js';
import type { Field } from './fields.js';

/** A field with a value that does not fit. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** The values of a form, or its mistakes. */
export interface Content {
  readonly content: Record<string, unknown>;
  readonly problems: readonly FieldProblem[];
}

/** The name of a field in its form, different from the page's own fields. */
export function inputName({ name }: Pick<Field, 'name'>): string {
  return `field:${name}`;
}

/** Optional fields that are empty are left out. */
export function contentOf(fields: readonly Field[], form: FormData): Content {
  const content: Record<string, unknown> = {};
  const problems: FieldProblem[] = [];
  for (const field of fields) {
    try {
      const value = valueOf(field, form);
      if (value !== undefined) content[field.name] = value;
    } catch (error) {
      problems.push({ field: field.name, message: error instanceof Error ? error.message : String(error) });
    }
  }
  return { content, problems };
}

function valueOf(field: Field, form: FormData): unknown {
  const name = inputName(field);
  const text = textIn(form, name);
  switch (field.kind) {
    case 'choices':
      return chosen(field, textsIn(form, name));
    case 'yes-no':
      // Browsers do not send an unticked box; a field that may stay open is a list instead.
      return isBox(field) ? form.has(name) : text === '' ? undefined : text === 'true';
    case 'number':
      return text === '' ? undefined : Number(text);
    case 'json':
      return text.trim() === '' ? undefined : (JSON.parse(text) as unknown);
    case 'choice':
      // Options are sent by their position: an empty text may be one of them.
      return text === '' ? undefined : field.options[Number(text)]?.value;
    case 'text':
      if (text === '') return field.isRequired ? '' : undefined;
      return field.format === 'date-time' ? new Date(text).toISOString() : text;
  }
}

function chosen(
  { isRequired, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Extract<Field, { kind: 'choices' }>,
  values: readonly string[],
) {
  if (values.length === 0 && !isRequired) return undefined;
  if (values.length < minItems) throw new Error(`Choose at least ${minItems}.`);
  if (values.length > maxItems) throw new Error(`Choose at most ${maxItems}.`);
  return values;
}

/** Whether the field is a box: yes or no, but never open. */
export function isBox({ isRequired, initial }: Field): boolean {
  return isRequired || initial !== undefined;
}
