/**
 * Compares values of strangers with schemas of authors. It knows the keywords of JSON Schema that describe a value. `author-schema.ts`
 * refuses a schema with others, so nothing of a schema is passed over in silence. Patterns run in linear time, and a check that takes too
 * many comparisons ends with a refusal.
 */
import { isDeepStrictEqual } from 'node:util';
import { canonicalJson } from '@longhaul/runtime/canonical-json';
import { linearPattern, type LinearPattern } from '@longhaul/runtime/linear-pattern';
import { isDate } from '../domain/field-kind.js';
import { isJsonObject, type Json, type JsonObject } from '../domain/json.js';
import type { Misfit } from '../domain/signals.js';
import { shortened } from '../domain/text.js';
import { remembered } from '../remembered.js';

/** Comparisons of values with parts of a schema: alternatives within alternatives could take any number. */
const MAX_COMPARISONS = 1_000_000;
/** Schemas within schemas that one value passes, with references of a schema to itself. */
const MAX_DEPTH = 1_000;
/** Texts that are compared with a pattern. */
const MAX_PATTERN_TEXT = 16 * 1024;
const MAX_PATTERNS = 256;
const MOST_SHOWN = 100;

/** The compiled pattern of a schema. @throws TypeError for one that cannot run in linear time */
export const patternOf: (pattern: string) => LinearPattern = remembered(MAX_PATTERNS, linearPattern);

/** One part of a comparison. */
interface At {
  readonly root: JsonObject;
  readonly field: string;
  readonly depth: number;
  readonly count: { left: number };
}

/** The check of one keyword: why the value does not fit. Keywords of other kinds of values pass. */
type Check = (given: Json, value: Json, at: At, schema: JsonObject) => Misfit | undefined;

/** What of the value does not fit the schema, the first of it; nothing when it fits. */
export function misfitOf(schema: JsonObject, value: Json): Misfit | undefined {
  return compare(schema, value, { root: schema, field: '', depth: 0, count: { left: MAX_COMPARISONS } });
}

/** The part of a schema that a reference in it names. */
export function referenced(root: JsonObject, reference: string): Json | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let found: Json | undefined = root;
  for (const part of reference.split('/').slice(1)) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(found)) found = (found as readonly Json[])[Number(name)];
    else found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

function compare(schema: Json | undefined, value: Json, at: At): Misfit | undefined {
  if (--at.count.left < 0 || at.depth > MAX_DEPTH) return misfit(at, 'takes too long to compare with its schema');
  if (schema === false) return misfit(at, 'is not allowed');
  if (!isJsonObject(schema)) return undefined;
  const within = { ...at, depth: at.depth + 1 };
  for (const [keyword, given] of Object.entries(schema)) {
    const found = given === undefined ? undefined : CHECKS.get(keyword)?.(given, value, within, schema);
    if (found !== undefined) return found;
  }
  return undefined;
}

function misfit({ field }: At, says: string): Misfit {
  const shown = shortened(field, MOST_SHOWN);
  return { field: shown, message: `${shown === '' ? 'the value' : JSON.stringify(shown)} ${says}.` };
}

/** The text of what should be one: authors write schemas by hand. */
export function textOf(given: Json | undefined): string {
  return typeof given === 'string' ? given : JSON.stringify(given ?? null);
}

function member(at: At, name: string | number): At {
  return { ...at, field: at.field === '' ? String(name) : `${at.field}.${name}` };
}

const TYPES: Readonly<Record<string, (value: Json) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  string: (value) => typeof value === 'string',
  array: (value) => Array.isArray(value),
  object: isJsonObject,
};

const FORMATS: Readonly<Record<string, { readonly name: string; readonly fits: (text: string) => boolean }>> = {
  uri: { name: 'a URI, such as https://example.com', fits: (text) => URL.canParse(text) },
  email: { name: 'an e-mail address', fits: (text) => /^[^\s@]+@[^\s@]+$/.test(text) },
  date: { name: 'a date, such as 2026-01-31', fits: isDate },
  'date-time': {
    name: 'a date with time, such as 2026-01-31T12:00:00Z',
    fits: (text) => text.includes('T') && !Number.isNaN(Date.parse(text)) && isDate(text.slice(0, 10)),
  },
};

const isNumber = (value: Json): value is number => typeof value === 'number';
const characters = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

function onNumbers(fits: (value: number, given: number) => boolean, says: string): Check {
  return (given, value, at) =>
    isNumber(value) && isNumber(given) && !fits(value, given) ? misfit(at, `must be ${says} ${given}`) : undefined;
}

function onSize(sizeOf: (value: Json) => number | undefined, fits: (size: number, given: number) => boolean, says: string): Check {
  return (given, value, at) => {
    const size = isNumber(given) ? sizeOf(value) : undefined;
    return size === undefined || fits(size, given as number) ? undefined : misfit(at, `must have ${says.replace('#', textOf(given))}`);
  };
}

const least = (value: number, given: number): boolean => value >= given;
const most = (value: number, given: number): boolean => value <= given;
const lengthOf = (value: Json): number | undefined => (typeof value === 'string' ? characters(value) : undefined);
const itemsOf = (value: Json): number | undefined => (Array.isArray(value) ? value.length : undefined);
const membersOf = (value: Json): number | undefined => (isJsonObject(value) ? Object.keys(value).length : undefined);

function parts(given: Json): readonly Json[] {
  return Array.isArray(given) ? (given as readonly Json[]) : [];
}

function fitting(given: Json, value: Json, at: At): number {
  return parts(given).filter((part) => compare(part, value, at) === undefined).length;
}

/** Each member of an object against the part of the schema that is about it. */
const comparesMembers: Check = (_given, value, at, { properties, patternProperties, additionalProperties }) => {
  if (!isJsonObject(value)) return undefined;
  const patterns = Object.entries(isJsonObject(patternProperties) ? patternProperties : {});
  for (const [name, part] of Object.entries(value)) {
    const place = member(at, name);
    const named = isJsonObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
    const schemas = [...named, ...patterns.filter(([pattern]) => patternOf(pattern).test(name)).map(([, schema]) => schema)];
    for (const schema of schemas.length > 0 ? schemas : [additionalProperties]) {
      const found = part === undefined ? undefined : compare(schema, part, place);
      if (found !== undefined) return found;
    }
  }
  return undefined;
};

const comparesItems: Check = (_given, value, at, { prefixItems, items }) => {
  if (!Array.isArray(value)) return undefined;
  const first = prefixItems === undefined ? [] : parts(prefixItems);
  for (const [index, item] of (value as readonly Json[]).entries()) {
    const found = compare(index < first.length ? first[index] : items, item, member(at, index));
    if (found !== undefined) return found;
  }
  return undefined;
};

/** All keywords that say what a value may be. */
export const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['$ref', (given, value, at) => compare(referenced(at.root, textOf(given)), value, at)],
  [
    'type',
    (given, value, at) => {
      const types = typeof given === 'string' ? [given] : parts(given).map(textOf);
      return types.some((type) => TYPES[type]?.(value) === true) ? undefined : misfit(at, `must be of type ${types.join(' or ')}`);
    },
  ],
  [
    'enum',
    (given, value, at) => {
      const choices = parts(given);
      const isOne = choices.some((choice) => isDeepStrictEqual(choice, value));
      return isOne ? undefined : misfit(at, `must be one of ${shortened(JSON.stringify(choices), MOST_SHOWN)}`);
    },
  ],
  [
    'const',
    (given, value, at) =>
      isDeepStrictEqual(given, value) ? undefined : misfit(at, `must be ${shortened(JSON.stringify(given), MOST_SHOWN)}`),
  ],
  ['minimum', onNumbers(least, 'at least')],
  ['maximum', onNumbers(most, 'at most')],
  ['exclusiveMinimum', onNumbers((value, given) => value > given, 'more than')],
  ['exclusiveMaximum', onNumbers((value, given) => value < given, 'less than')],
  ['multipleOf', onNumbers((value, given) => Number.isInteger(value / given), 'a multiple of')],
  ['minLength', onSize(lengthOf, least, 'at least # characters')],
  ['maxLength', onSize(lengthOf, most, 'at most # characters')],
  [
    'pattern',
    (given, value, at) => {
      if (typeof value !== 'string') return undefined;
      if (value.length > MAX_PATTERN_TEXT) return misfit(at, `must have at most ${MAX_PATTERN_TEXT} characters`);
      return patternOf(textOf(given)).test(value)
        ? undefined
        : misfit(at, `must match the pattern ${shortened(textOf(given), MOST_SHOWN)}`);
    },
  ],
  [
    'format',
    (given, value, at) => {
      const format = typeof value === 'string' && Object.hasOwn(FORMATS, textOf(given)) ? FORMATS[textOf(given)] : undefined;
      return format === undefined || format.fits(value as string) ? undefined : misfit(at, `must be ${format.name}`);
    },
  ],
  ['minItems', onSize(itemsOf, least, 'at least # items')],
  ['maxItems', onSize(itemsOf, most, 'at most # items')],
  [
    'uniqueItems',
    (given, value, at) => {
      if (given !== true || !Array.isArray(value)) return undefined;
      return new Set(value.map((item) => canonicalJson(item))).size === value.length ? undefined : misfit(at, 'must have no item twice');
    },
  ],
  ['items', comparesItems],
  ['prefixItems', comparesItems],
  [
    'required',
    (given, value, at) => {
      if (!isJsonObject(value)) return undefined;
      const missing = parts(given).find((name) => !Object.hasOwn(value, textOf(name)));
      return missing === undefined ? undefined : misfit(member(at, textOf(missing)), 'is required');
    },
  ],
  ['minProperties', onSize(membersOf, least, 'at least # members')],
  ['maxProperties', onSize(membersOf, most, 'at most # members')],
  [
    'propertyNames',
    (given, value, at) => {
      if (!isJsonObject(value)) return undefined;
      const name = Object.keys(value).find((each) => compare(given, each, at) !== undefined);
      return name === undefined ? undefined : misfit(member(at, name), 'is no name that is allowed');
    },
  ],
  ['properties', comparesMembers],
  [
    'patternProperties',
    (given, value, at, schema) => (schema['properties'] === undefined ? comparesMembers(given, value, at, schema) : undefined),
  ],
  [
    'additionalProperties',
    (given, value, at, schema) =>
      schema['properties'] === undefined && schema['patternProperties'] === undefined
        ? comparesMembers(given, value, at, schema)
        : undefined,
  ],
  [
    'allOf',
    (given, value, at) =>
      parts(given)
        .map((part) => compare(part, value, at))
        .find((found) => found !== undefined),
  ],
  [
    'anyOf',
    (given, value, at) => {
      const found = parts(given).map((part) => compare(part, value, at));
      return found.includes(undefined) ? undefined : found[0];
    },
  ],
  [
    'oneOf',
    (given, value, at) => (fitting(given, value, at) === 1 ? undefined : misfit(at, 'must fit exactly one of the forms of its schema')),
  ],
  ['not', (given, value, at) => (compare(given, value, at) === undefined ? misfit(at, 'has a form that is not allowed') : undefined)],
]);
