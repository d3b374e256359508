/** The content of an answer from what stands on a command line: fields as `NAME=VALUE`, read as the form says, or all of it as JSON. */
import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';

interface Field {
  readonly type?: string;
}

/** @throws UserError for what cannot be read; whether it fits the form is checked by the operator API */
export function contentOf(
  requestedSchema: unknown,
  fields: readonly string[],
  json: string | undefined,
): Readonly<Record<string, unknown>> {
  const properties = propertiesOf(requestedSchema);
  const content = json === undefined ? {} : parsed(json);
  for (const field of fields) {
    const at = field.indexOf('=');
    const [name, text] = [field.slice(0, at), field.slice(at + 1)];
    const known = properties[name];
    if (known === undefined)
      throw new UserError(`the form has no field ${JSON.stringify(name)}; it has: ${Object.keys(properties).join(', ')}`, EXIT.usage);
    content[name] = valueOf(name, text, known, content[name]);
  }
  return content;
}

function valueOf(name: string, text: string, { type }: Field, before: unknown): unknown {
  switch (type) {
    case 'number':
    case 'integer': {
      const number = Number(text);
      if (text.trim() === '' || Number.isNaN(number)) throw new UserError(`${name}=${text}: must be a number`, EXIT.usage);
      return number;
    }
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw new UserError(`${name}=${text}: must be true or false`, EXIT.usage);
      return text === 'true';
    case 'array':
      return [...(Array.isArray(before) ? (before as unknown[]) : []), text];
    default:
      return text;
  }
}

function propertiesOf(schema: unknown): Readonly<Record<string, Field>> {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return {};
  return schema.properties as Readonly<Record<string, Field>>;
}

function parsed(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // It is said below.
  }
  throw new UserError('--content: must be a JSON object', EXIT.usage);
}
