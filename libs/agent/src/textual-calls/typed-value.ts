/** Reads values that stand in a text without quotes: their type is in the tool's JSON Schema. */
import { isJsonObject, type Json, type JsonObject } from '@longhaul/tasks';
import { referencesOf, type Resolve } from './schema-references.js';
import { parseJson } from './json-value.js';
import { parsePython } from './python-value.js';

/**
 * Reads a text as the parameter `name` of a tool. A string stays as it is. For other types JSON is read, or a literal of Python (`True`,
 * `{'a': 1}`). If neither gives a type of the schema, the text is the value, so that the check of the arguments can say what is wrong. A
 * parameter without a type is JSON if the text is, else text.
 *
 * @param parameters JSON Schema of the tool's arguments
 */
export function typedValue(text: string, name: string, parameters: JsonObject): Json {
  const properties = parameters['properties'];
  const schema = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  const types = typesOf(schema, referencesOf(parameters), new Set());
  const trimmed = text.trim();
  for (const value of types.size === 0 ? [parseJson(trimmed)] : [parseJson(trimmed), parsePython(trimmed)]) {
    // A string that looks like a literal is the text with its quotes.
    if (value !== undefined && typeof value !== 'string' && (types.size === 0 || fits(value, types))) return value;
  }
  return text;
}

/** @param seen the schemas that were looked at: a schema may refer to itself */
function typesOf(schema: Json | undefined, resolve: Resolve, seen: Set<JsonObject>): Set<string> {
  if (!isJsonObject(schema) || seen.has(schema)) return new Set();
  seen.add(schema);
  const stated = schema['type'];
  if (typeof stated === 'string') return new Set([stated]);
  if (Array.isArray(stated)) return new Set(stated.filter((type) => typeof type === 'string'));
  if (Array.isArray(schema['enum'])) return new Set(schema['enum'].map(typeOf));
  if (schema['const'] !== undefined) return new Set([typeOf(schema['const'])]);
  const target = resolve(schema);
  if (target !== undefined) return typesOf(target, resolve, seen);
  const inner = [schema['anyOf'], schema['oneOf'], schema['allOf']].flatMap((schemas) => (Array.isArray(schemas) ? schemas : []));
  return inner.reduce((types, one) => types.union(typesOf(one, resolve, seen)), new Set<string>());
}

function fits(value: Json, types: ReadonlySet<string>): boolean {
  return types.has(typeOf(value)) || (types.has('integer') && Number.isInteger(value));
}

/** The type of a value as JSON Schema names it. */
function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
