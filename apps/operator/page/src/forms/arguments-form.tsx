/** Shows the form for a tool's arguments: fields of its schema, or JSON if the schema has no fields. */
import { textIn } from '../parts/form-text.js';
import { isObject, type Field } from './fields.js';
import { contentOf, type Content, type FieldProblem } from './content.js';
import { SchemaFields } from './schema-fields.js';

const JSON_NAME = 'arguments';

export interface ArgumentsProps {
  readonly fields: readonly Field[] | undefined;
  readonly initial?: Readonly<Record<string, unknown>>;
  readonly problems: readonly FieldProblem[];
}

export function ArgumentFields({ fields, initial = {}, problems }: ArgumentsProps) {
  if (fields !== undefined) return <SchemaFields fields={fields} problems={problems} />;
  return (
    <label class="field">
      <span>Arguments, as JSON</span>
      <textarea class="json" name={JSON_NAME} rows={8} required spellcheck={false} defaultValue={JSON.stringify(initial, undefined, 2)} />
      {problems.map(({ field, message }) => (
        <span key={field} class="failure">
          {field}: {message}
        </span>
      ))}
    </label>
  );
}

/** The entered arguments. */
export function argumentsOf(fields: readonly Field[] | undefined, form: FormData): Content {
  if (fields !== undefined) return contentOf(fields, form);
  try {
    const content: unknown = JSON.parse(textIn(form, JSON_NAME));
    if (isObject(content)) return { content: { ...content }, problems: [] };
    return { content: {}, problems: [{ field: JSON_NAME, message: 'must be an object: { … }' }] };
  } catch (error) {
    return { content: {}, problems: [{ field: JSON_NAME, message: error instanceof Error ? error.message : String(error) }] };
  }
}
