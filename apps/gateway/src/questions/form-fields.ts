/** Reads the fields of a form as people see them. A schema comes from a tool or another server, so each part may be anything. */
import { fieldKindOf, isJsonObject, type Json, type JsonObject } from '@longhaul/tasks';

/** A value that a field offers. */
export interface Choice {
  readonly value: string;
  readonly title: string;
}

/** A field of a form. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly isRequired: boolean;
  /** `texts` is a list of any texts, `choices` one of some that are offered. */
  readonly kind: 'text' | 'texts' | 'number' | 'truth' | 'choice' | 'choices';
  /** What it takes, such as `a whole number from 1 to 5`. */
  readonly wanted: string;
  /** Of a choice. */
  readonly choices: readonly Choice[];
  /** Of a text, such as `email`; of a number that it is whole. */
  readonly format?: string;
  /** Whether an empty list is no answer. */
  readonly needsSome: boolean;
  readonly default?: Json;
}

/** The fields in the order of the form; none for a schema that is none. */
export function formFieldsOf(requestedSchema: unknown): readonly FormField[] {
  if (!isJsonObject(requestedSchema) || !isJsonObject(requestedSchema['properties'])) return [];
  const { properties, required } = requestedSchema;
  const needed: ReadonlySet<unknown> = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, field]) => fieldOf(name, isJsonObject(field) ? field : {}, needed.has(name)));
}

function fieldOf(name: string, field: JsonObject, isRequired: boolean): FormField {
  const { title, description, minItems, default: entered } = field;
  const format = field['type'] === 'integer' ? 'integer' : field['format'];
  const kind = kindOf(field);
  return {
    name,
    title: typeof title === 'string' && title.trim() !== '' ? title : name,
    ...(typeof description === 'string' && description !== '' && { description }),
    isRequired,
    kind,
    wanted: fieldKindOf(field).wanted,
    choices: kind === 'choice' ? choicesOf(field) : kind === 'choices' && isJsonObject(field['items']) ? choicesOf(field['items']) : [],
    ...(typeof format === 'string' && { format }),
    needsSome: typeof minItems === 'number' && minItems > 0,
    ...(entered !== undefined && { default: entered }),
  };
}

function kindOf(field: JsonObject): FormField['kind'] {
  switch (field['type']) {
    case 'boolean':
      return 'truth';
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return isJsonObject(field['items']) && hasChoices(field['items']) ? 'choices' : 'texts';
    default:
      return field['type'] === 'string' && hasChoices(field) ? 'choice' : 'text';
  }
}

function hasChoices({ enum: plain, oneOf, anyOf }: JsonObject): boolean {
  return [plain, oneOf, anyOf].some(Array.isArray);
}

/** In any of the ways in which forms have them. */
function choicesOf({ enum: plain, enumNames, oneOf, anyOf }: JsonObject): readonly Choice[] {
  if (Array.isArray(plain)) {
    const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
    return plain.flatMap((value, index) => (typeof value === 'string' ? [choice(value, names[index])] : []));
  }
  const titled: readonly unknown[] = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : [];
  return titled.flatMap((each) => (isJsonObject(each) && typeof each['const'] === 'string' ? [choice(each['const'], each['title'])] : []));
}

function choice(value: string, title: unknown): Choice {
  return { value, title: typeof title === 'string' && title.trim() !== '' ? title : value };
}
