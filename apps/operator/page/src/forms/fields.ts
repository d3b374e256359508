/**
 * Finds the fields of a form in a JSON Schema of an object. Everything that an elicitation may ask for has its own kind of field: texts
 * with their formats, numbers, yes or no, one of several, some of several. Other values, which only tools take, are entered as JSON.
 */

type Schema = Readonly<Record<string, unknown>>;

export interface Option {
  readonly value: string;
  readonly title: string;
}

export type TextFormat = 'email' | 'uri' | 'date' | 'date-time';

export type FieldKind =
  | {
      readonly kind: 'text';
      readonly format?: TextFormat;
      readonly minLength?: number;
      readonly maxLength?: number;
    }
  | { readonly kind: 'number'; readonly isInteger: boolean; readonly minimum?: number; readonly maximum?: number }
  | { readonly kind: 'yes-no' }
  | { readonly kind: 'choice'; readonly options: readonly Option[] }
  | { readonly kind: 'choices'; readonly options: readonly Option[]; readonly minItems?: number; readonly maxItems?: number }
  | { readonly kind: 'json' };

export type Field = FieldKind & {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly isRequired: boolean;
  readonly initial?: unknown;
};

const FORMATS: readonly string[] = ['email', 'uri', 'date', 'date-time'] satisfies TextFormat[];

/** @returns nothing for a schema that names no properties but allows any: then any value can fit */
export function fieldsOf(schema: unknown): readonly Field[] | undefined {
  if (!isObject(schema) || !isObject(schema['properties'])) return undefined;
  if (Object.keys(schema['properties']).length === 0 && schema['additionalProperties'] !== false) return undefined;
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  return Object.entries(schema['properties']).map(([name, property]) =>
    fieldOf(name, isObject(property) ? property : {}, required.has(name)),
  );
}

function fieldOf(name: string, schema: Schema, isRequired: boolean): Field {
  const { title, description, const: only, default: initial = only } = schema;
  return {
    ...kindOf(schema),
    name,
    title: typeof title === 'string' ? title : name,
    isRequired,
    ...(typeof description === 'string' && { description }),
    ...(initial !== undefined && { initial }),
  };
}

function kindOf(schema: Schema): FieldKind {
  const options = optionsOf(schema);
  if (options !== undefined) return { kind: 'choice', options };
  switch (schema['type']) {
    case 'string':
      return textOf(schema);
    case 'number':
    case 'integer':
      return { kind: 'number', isInteger: schema['type'] === 'integer', ...numbersOf(schema, 'minimum', 'maximum') };
    case 'boolean':
      return { kind: 'yes-no' };
    case 'array': {
      const ofItems = isObject(schema['items']) ? optionsOf(schema['items']) : undefined;
      return ofItems === undefined ? { kind: 'json' } : { kind: 'choices', options: ofItems, ...numbersOf(schema, 'minItems', 'maxItems') };
    }
    default:
      return { kind: 'json' };
  }
}

function textOf(schema: Schema): FieldKind {
  const { format } = schema;
  return {
    kind: 'text',
    ...(typeof format === 'string' && FORMATS.includes(format) && { format: format as TextFormat }),
    ...numbersOf(schema, 'minLength', 'maxLength'),
  };
}

/**
 * Whether an empty text is valid. A pattern, which only tools have, is checked where the tool is called: here it would run without
 * protection.
 */
export function takesEmpty({ format, minLength = 0 }: Extract<FieldKind, { kind: 'text' }>): boolean {
  return format === undefined && minLength === 0;
}

/** Texts to choose from: plain, with separate names, or each with its title. */
function optionsOf({ enum: values, enumNames, oneOf, anyOf }: Schema): readonly Option[] | undefined {
  if (isTexts(values)) {
    const names = isTexts(enumNames) ? enumNames : [];
    return values.map((value, at) => ({ value, title: names[at] ?? value }));
  }
  const titled = Array.isArray(oneOf) ? oneOf : anyOf;
  if (!Array.isArray(titled) || titled.length === 0) return undefined;
  const options = titled.map((each: unknown) => (isObject(each) ? { value: each['const'], title: each['title'] ?? each['const'] } : {}));
  return options.every((option): option is Option => typeof option.value === 'string' && typeof option.title === 'string')
    ? options
    : undefined;
}

function numbersOf<Name extends string>(schema: Schema, ...names: Name[]): Partial<Record<Name, number>> {
  const found = names.filter((name) => typeof schema[name] === 'number').map((name) => [name, schema[name]]);
  return Object.fromEntries(found) as Partial<Record<Name, number>>;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
}

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
