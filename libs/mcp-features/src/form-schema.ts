/** Makes forms from zod schemas. In MCP a form has flat fields only, so that any client can show it. */
import { type ElicitRequestFormParams, type ElicitResult, PrimitiveSchemaDefinitionSchema } from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject, type JsonObject } from '@longhaul/tasks';
import { z } from 'zod';
import { requireZodObject } from './require-schema.js';

/** A user's answer to a form. */
export type FormAnswer<T> = { readonly action: 'accept'; readonly content: T } | { readonly action: 'decline' | 'cancel' };

type FormSchema = ElicitRequestFormParams['requestedSchema'];
type FormField = FormSchema['properties'][string];

/** The formats that a text of a form can have. A client that gets another one refuses the whole form. */
const FORMATS: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time']);

/**
 * The form of a schema. Rules that a form cannot express, such as a pattern, are left out: the answer is checked against the schema anyway.
 *
 * @throws TypeError that names a field which is no text, number, boolean or choice; or says that this is no zod object
 */
export function formSchemaOf(schema: z.ZodObject): FormSchema {
  requireZodObject('context.elicit', 'form', schema);
  const { properties = {}, required } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const fields = Object.entries(properties).map(([name, field]) => [name, formFieldOf(name, field)] as const);
  return { type: 'object', properties: Object.fromEntries(fields), ...(required !== undefined && { required }) };
}

/** The answer in the shape of the schema, or its mistakes. Only the schema has the rules that a form cannot express. */
export function formAnswerOf<T>(schema: z.ZodType<T>, { action, content }: ElicitResult): FormAnswer<T> | z.ZodError {
  if (action !== 'accept') return { action };
  const { data, error } = schema.safeParse(content ?? {});
  return error ?? { action, content: data };
}

/**
 * Checks an elicitation in the words of the protocol before it is sent. Forms of MCP have no `pattern` and only the keywords of their
 * fields. A URL to open has no form.
 *
 * @throws TypeError that names the field, and its member that a form cannot have
 */
export function requireForm(params: { readonly mode?: unknown; readonly requestedSchema?: unknown }): void {
  if (params.mode === 'url') return;
  const properties: unknown = isJsonObject(params.requestedSchema) ? params.requestedSchema['properties'] : undefined;
  if (!isJsonObject(properties)) throw new TypeError('A form needs requestedSchema.properties, an object with its fields.');
  for (const [name, field] of Object.entries(properties)) {
    const known = formFieldOf(name, field as FieldSchema);
    const unknown = Object.keys(field as object).find((keyword) => !Object.hasOwn(known, keyword));
    if (unknown !== undefined) throw new TypeError(`A form cannot have "${unknown}" in its field "${name}": MCP's forms do not have it.`);
  }
}

/**
 * A form that another server has sent, with what forms of MCP have: a `pattern` and other keywords are left out, and never run. What is
 * no form stays as it is, for `requireForm` to refuse.
 */
export function formOfOthers<Params extends { readonly requestedSchema?: unknown }>(params: Params): Params {
  const { requestedSchema } = params;
  const properties: unknown = isJsonObject(requestedSchema) ? requestedSchema['properties'] : undefined;
  if (!isJsonObject(requestedSchema) || !isJsonObject(properties)) return params;
  const fields = Object.entries(properties).map(([name, field]) => [name, PrimitiveSchemaDefinitionSchema.safeParse(field).data ?? field]);
  return { ...params, requestedSchema: { ...requestedSchema, properties: Object.fromEntries(fields) as JsonObject } };
}

type FieldSchema = z.core.JSONSchema._JSONSchema;

function formFieldOf(name: string, field: FieldSchema): FormField {
  const parsed = PrimitiveSchemaDefinitionSchema.safeParse(withFormatOfForms(field));
  if (!parsed.success) throw new TypeError(`A form cannot have the field "${name}": only texts, numbers, booleans and choices.`);
  return parsed.data;
}

function withFormatOfForms(field: FieldSchema): FieldSchema {
  if (typeof field === 'boolean' || FORMATS.has(field.format)) return field;
  const { format: _, ...rest } = field;
  return rest;
}
