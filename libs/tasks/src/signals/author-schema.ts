/** Reads the schema that an author gives for a signal: a JSON Schema, or an object of a library that can write one, such as zod. */
import { isJsonObject, type Json, type JsonObject } from '../domain/json.js';
import { TaskError } from '../errors.js';
import { CHECKS, patternOf, referenced, textOf } from './misfit-of.js';

/** A schema of a library that follows Standard Schema and Standard JSON Schema, such as zod 4.2. */
export interface StandardSignalSchema<T> {
  readonly '~standard': {
    readonly version: 1;
    readonly validate: (value: unknown) => unknown;
    readonly types?: { readonly output: T } | undefined;
    readonly jsonSchema: { readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown> };
  };
}

/** What a signal must look like. */
export type SignalSchema<T> = StandardSignalSchema<T> | JsonObject;

/** JSON of a schema, bytes: it is in the view of the task. */
const MAX_SCHEMA_BYTES = 16 * 1024;
const MAX_DEPTH = 64;

/** Keywords that say nothing of which values fit. */
const NOTES: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
]);

/**
 * The JSON Schema of an author's schema.
 *
 * @param place such as `waitFor "approval"`
 * @throws TypeError that names a keyword or a pattern that cannot be used
 */
export function jsonSchemaOf(place: string, schema: SignalSchema<unknown>): JsonObject {
  const written: unknown = isStandard(schema) ? schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) : schema;
  const text = isJsonObject(written) ? JSON.stringify(written) : '';
  if (text === '') throw new TypeError(`${place}: schema must be a JSON Schema, or a schema that can write one, such as one of zod 4.2.`);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_SCHEMA_BYTES)
    throw new TypeError(`${place}: schema has ${bytes} bytes as JSON; at most ${MAX_SCHEMA_BYTES} are allowed.`);
  const root = JSON.parse(text) as JsonObject;
  requireKnown(root, { place, root, depth: 0 });
  return root;
}

/**
 * The value for the workflow, in the form that the schema makes of it: with its defaults, for example.
 *
 * @throws TaskError `SIGNAL_DOES_NOT_FIT` for a rule that JSON Schema cannot express; TypeError for a schema that needs time
 */
export function readValue(place: string, schema: SignalSchema<unknown> | undefined, value: unknown): unknown {
  if (schema === undefined || !isStandard(schema)) return value;
  const read = schema['~standard'].validate(value);
  if (read instanceof Promise) throw new TypeError(`${place}: schema must not have asynchronous rules.`);
  if (!isJsonObject(read)) return value;
  const [issue] = Array.isArray(read['issues']) ? (read['issues'] as readonly { readonly message: string }[]) : [];
  if (issue !== undefined) throw new TaskError('SIGNAL_DOES_NOT_FIT', `${place}: ${issue.message}`);
  return read['value'];
}

function isStandard(schema: SignalSchema<unknown>): schema is StandardSignalSchema<unknown> {
  const standard: unknown = (schema as { readonly '~standard'?: unknown } | null)?.['~standard'];
  return typeof standard === 'object' && standard !== null && 'jsonSchema' in standard;
}

interface Place {
  readonly place: string;
  readonly root: JsonObject;
  readonly depth: number;
}

function requireKnown(schema: Json | undefined, at: Place): void {
  if (!isJsonObject(schema)) return;
  if (at.depth > MAX_DEPTH) throw new TypeError(`${at.place}: schema is nested deeper than ${MAX_DEPTH} levels.`);
  const within = { ...at, depth: at.depth + 1 };
  for (const [keyword, given] of Object.entries(schema)) {
    if (!CHECKS.has(keyword) && !NOTES.has(keyword))
      throw new TypeError(`${at.place}: schema has the keyword "${keyword}", which signals do not check.`);
    if (keyword === 'pattern') patternOf(textOf(given));
    if (keyword === '$ref' && referenced(at.root, textOf(given)) === undefined)
      throw new TypeError(`${at.place}: schema refers to ${JSON.stringify(given)}, which is no part of it.`);
    for (const part of partsOf(keyword, given)) requireKnown(part, within);
  }
}

/** The schemas within a keyword. */
function partsOf(keyword: string, given: Json | undefined): readonly (Json | undefined)[] {
  switch (keyword) {
    case 'properties':
    case 'patternProperties':
    case '$defs':
    case 'definitions':
      if (keyword === 'patternProperties') for (const pattern of Object.keys(given ?? {})) patternOf(pattern);
      return isJsonObject(given) ? Object.values(given) : [];
    case 'items':
    case 'additionalProperties':
    case 'propertyNames':
    case 'not':
      return [given];
    case 'prefixItems':
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return Array.isArray(given) ? (given as readonly Json[]) : [];
    default:
      return [];
  }
}
