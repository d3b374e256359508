/** Reads an object from a command line: members as `NAME=VALUE`, with types from a schema, or the whole object as JSON. */
import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';

interface Field {
  readonly type?: unknown;
  readonly items?: Field;
}

/** The result. */
export interface NamedValuesOptions {
  /** A JSON Schema of an object: its `properties` are what can be named. */
  readonly schema: unknown;
  readonly named: readonly string[];
  /** The whole object. Single members may be named in addition. */
  readonly json: string | undefined;
  /** The owner of the schema, and the flag of the JSON, for messages. */
  readonly what: { readonly owner: string; readonly flag: string };
}

/** @throws UserError for what cannot be read; whether it fits is checked by the operator API */
export function namedValues({ schema, named, json, what }: NamedValuesOptions): Readonly<Record<string, unknown>> {
  const properties = propertiesOf(schema);
  const values = json === undefined ? {} : jsonObject(json, what.flag);
  const taken = new Set<string>();
  for (const word of named) {
    const at = word.indexOf('=');
    const [name, text] = [word.slice(0, at), word.slice(at + 1)];
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known === undefined)
      throw new UserError(`${what.owner} has no field ${JSON.stringify(name)}; it has: ${Object.keys(properties).join(', ')}`, EXIT.usage);
    if (known.type !== 'array' && taken.has(name)) throw new UserError(`${name} is given twice`, EXIT.usage);
    taken.add(name);
    values[name] = known.type === 'array' ? [...listOf(values[name]), valueOf(name, text, known.items ?? {})] : valueOf(name, text, known);
  }
  return values;
}

/** An object that stands on the command line. @throws UserError */
export function jsonObject(text: string, flag: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // It is said below.
  }
  throw new UserError(`--${flag}: must be a JSON object`, EXIT.usage);
}

function valueOf(name: string, text: string, { type }: Field): unknown {
  switch (type) {
    case 'string':
      return text;
    case 'number':
    case 'integer': {
      const number = Number(text);
      if (text.trim() === '' || Number.isNaN(number)) throw new UserError(`${name}=${text}: must be a number`, EXIT.usage);
      return number;
    }
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw new UserError(`${name}=${text}: must be true or false`, EXIT.usage);
      return text === 'true';
    default:
      // Of several types, or of none that is named: JSON if it is that, otherwise a text.
      return jsonOr(text);
  }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function propertiesOf(schema: unknown): Readonly<Record<string, Field>> {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return {};
  return schema.properties as Readonly<Record<string, Field>>;
}
