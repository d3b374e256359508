/**
 * Defines the fields that a form of MCP can have, and the possible answers to each. No part of a form is ever run: a `pattern`, which forms
 * of MCP do not have, is ignored. A plain answer is taken as its obvious meaning, such as `"5"` for a number.
 */
import { isJsonObject, type JsonObject } from './json.js';

/** A value of a form. */
export type FormValue = string | number | boolean | readonly string[];

/** The answers that a field allows. */
export interface FieldKind {
  /** What it must be, such as `a whole number from 1 to 5`. */
  readonly wanted: string;
  /** @returns the value as it is recorded; nothing when it does not fit */
  readonly read: (given: unknown) => FormValue | undefined;
}

/** Choices that a sentence names; of more it says that there are more. */
const MOST_NAMED = 12;
const MOST_CHARACTERS = 60;

interface Format {
  readonly wanted: string;
  /** @returns the text as it is recorded; nothing when it is not in the format */
  readonly read: (given: string) => string | undefined;
}

const FORMATS: ReadonlyMap<unknown, Format> = new Map([
  // Any domain: `root@localhost` is an address too.
  ['email', { wanted: 'an e-mail address', read: (given) => (/^[^\s@]+@[^\s@]+$/.test(given) ? given : undefined) }],
  ['uri', { wanted: 'a URI, such as https://example.com', read: (given) => (URL.canParse(given) ? given : undefined) }],
  ['date', { wanted: 'a date, such as 2026-01-31', read: (given) => (isDate(given) ? given : undefined) }],
  ['date-time', { wanted: 'a date with time, such as 2026-01-31T12:00:00Z', read: dateTime }],
] satisfies [string, Format][]);

/** The answers that a field allows. A field with a type that forms do not have takes any value that an answer can have. */
export function fieldKindOf(field: unknown): FieldKind {
  if (!isJsonObject(field)) return ANYTHING;
  switch (field['type']) {
    case 'boolean':
      return TRUTH;
    case 'number':
    case 'integer':
      return numberKind(field);
    case 'array':
      return listKind(field);
    case 'string': {
      const choices = choicesOf(field);
      return choices === undefined ? textKind(field) : choiceKind(choices);
    }
    default:
      return ANYTHING;
  }
}

/** The limits as they are said, such as `from 1 to 5`; empty without any. */
export function range(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return least === most ? `exactly ${least}` : `from ${least} to ${most}`;
  if (least !== undefined) return `at least ${least}`;
  return most === undefined ? '' : `at most ${most}`;
}

/** Whether a number lies between the limits, which belong to it. */
export function isWithin(value: number, least: number | undefined, most: number | undefined): boolean {
  return value >= (least ?? -Infinity) && value <= (most ?? Infinity);
}

const ANYTHING: FieldKind = {
  wanted: 'a text, a number, true or false, or a list of texts',
  read: (given) => (isFormValue(given) ? given : undefined),
};

const TRUTH: FieldKind = {
  wanted: 'true or false',
  read(given) {
    if (typeof given !== 'string') return typeof given === 'boolean' ? given : undefined;
    const word = given.trim().toLowerCase();
    return word === 'true' ? true : word === 'false' ? false : undefined;
  },
};

function numberKind(field: JsonObject): FieldKind {
  const [least, most] = [limit(field, 'minimum'), limit(field, 'maximum')];
  const isWhole = field['type'] === 'integer';
  return {
    wanted: `a ${isWhole ? 'whole ' : ''}number ${range(said(least), said(most))}`.trim(),
    read(given) {
      const value = typeof given === 'string' ? numberIn(given) : given;
      if (typeof value !== 'number' || !Number.isFinite(value) || !isWithin(value, least, most)) return undefined;
      return isWhole && !Number.isSafeInteger(value) ? undefined : value;
    },
  };
}

/** A limit that any whole number has says nothing; zod gives it to each integer. */
function said(bound: number | undefined): number | undefined {
  return Math.abs(bound ?? 0) === Number.MAX_SAFE_INTEGER ? undefined : bound;
}

function numberIn(text: string): number | undefined {
  const trimmed = text.trim();
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : undefined;
}

function textKind(field: JsonObject): FieldKind {
  const [least, most] = [limit(field, 'minLength'), limit(field, 'maxLength')];
  const { wanted, read } = FORMATS.get(field['format']) ?? { wanted: 'a text', read: (given: string) => given };
  const length = range(least, most);
  return {
    wanted: length === '' ? wanted : `${wanted} of ${length} characters`,
    read(given) {
      if (typeof given !== 'string' || !isWithin(Array.from(given).length, least, most)) return undefined;
      return read(given);
    },
  };
}

function choiceKind(choices: readonly string[]): FieldKind {
  return { wanted: `one of ${named(choices)}`, read: (given) => (isOneOf(choices, given) ? given : undefined) };
}

function listKind(field: JsonObject): FieldKind {
  const [least, most] = [limit(field, 'minItems'), limit(field, 'maxItems')];
  const choices = isJsonObject(field['items']) ? choicesOf(field['items']) : undefined;
  const wanted = ['a list of', range(least, most), choices === undefined ? 'texts' : named(choices)];
  return {
    wanted: wanted.filter((word) => word !== '').join(' '),
    read(given) {
      if (!Array.isArray(given) || !isWithin(given.length, least, most)) return undefined;
      return given.every((each) => (choices === undefined ? typeof each === 'string' : isOneOf(choices, each))) ? given : undefined;
    },
  };
}

/** The values of a choice, in any of the ways in which forms have them. */
function choicesOf(field: JsonObject): readonly string[] | undefined {
  const { enum: plain, oneOf, anyOf } = field;
  if (Array.isArray(plain)) return plain.filter((each) => typeof each === 'string');
  const titled = oneOf ?? anyOf;
  if (!Array.isArray(titled)) return undefined;
  return titled.flatMap((each: unknown) => (isJsonObject(each) && typeof each['const'] === 'string' ? [each['const']] : []));
}

function isOneOf(choices: readonly string[], given: unknown): given is string {
  return typeof given === 'string' && choices.includes(given);
}

function named(choices: readonly string[]): string {
  const shown = choices.slice(0, MOST_NAMED).map((choice) => JSON.stringify(shortened(choice)));
  const rest = choices.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}

/** A text in a sentence. */
export function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…` : text;
}

function limit(field: JsonObject, name: string): number | undefined {
  const value = field[name];
  return typeof value === 'number' ? value : undefined;
}

function isFormValue(given: unknown): given is FormValue {
  if (Array.isArray(given)) return given.every((each) => typeof each === 'string');
  return typeof given === 'string' || typeof given === 'boolean' || (typeof given === 'number' && Number.isFinite(given));
}

/** A day that the calendar has: JavaScript takes 30 February for 1 March. */
export function isDate(given: string): boolean {
  const time = Date.parse(`${given}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(given);
}

/** RFC 3339 has `t` and `z` too; the recorded form has `T` and `Z`, which every reader takes. */
function dateTime(given: string): string | undefined {
  const plain = given.toUpperCase();
  const isInForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(plain);
  return isInForm && isDate(plain.slice(0, 10)) && !Number.isNaN(Date.parse(plain)) ? plain : undefined;
}
