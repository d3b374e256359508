/** Forms from zod schemas: MCP lets a form have flat fields only, so that any client can show it. */
import { type ElicitRequestFormParams, type ElicitResult, PrimitiveSchemaDefinitionSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

/** A user's answer to a form. */
export type FormAnswer<T> = { readonly action: 'accept'; readonly content: T } | { readonly action: 'decline' | 'cancel' };

type FormSchema = ElicitRequestFormParams['requestedSchema'];
type FormField = FormSchema['properties'][string];

/** The formats that a text of a form can have. A client that gets another one refuses the whole form. */
const FORMATS: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time']);

/**
 * The form of a schema. What of a field a form cannot say, such as a pattern, is left out: the answer is
 * checked against the schema anyway.
 *
 * @throws TypeError that names a field which is no text, number, boolean or choice
 */
export function formSchemaOf(schema: z.ZodObject): FormSchema {
  const { properties = {}, required } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const fields = Object.entries(properties).map(([name, field]) => [name, formFieldOf(name, field)] as const);
  return { type: 'object', properties: Object.fromEntries(fields), ...(required !== undefined && { required }) };
}

/** The answer in the shape of the schema. @throws ZodError when what was accepted does not fit */
export function formAnswerOf<T>(schema: z.ZodType<T>, { action, content }: ElicitResult): FormAnswer<T> {
  return action === 'accept' ? { action, content: schema.parse(content ?? {}) } : { action };
}

function formFieldOf(name: string, field: z.core.JSONSchema._JSONSchema): FormField {
  const parsed = PrimitiveSchemaDefinitionSchema.safeParse(withFormatOfForms(field));
  if (!parsed.success) throw new TypeError(`A form cannot have the field "${name}": only texts, numbers, booleans and choices.`);
  return parsed.data;
}

function withFormatOfForms(field: z.core.JSONSchema._JSONSchema): z.core.JSONSchema._JSONSchema {
  if (typeof field === 'boolean' || FORMATS.has(field.format)) return field;
  const { format: _, ...rest } = field;
  return rest;
}
