/** Forms from zod schemas: MCP lets a form have flat fields only, so that any client can show it. */
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

/** A user's answer to a form. */
export type FormAnswer<T> = { readonly action: 'accept'; readonly content: T } | { readonly action: 'decline' | 'cancel' };

type FormSchema = ElicitRequestFormParams['requestedSchema'];

const FIELD_TYPES: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean']);

/** The form of a schema. @throws TypeError that names a field which is no text, number, boolean or choice */
export function formSchemaOf(schema: z.ZodObject): FormSchema {
  const { properties = {}, required } = z.toJSONSchema(schema, { io: 'input' });
  for (const [name, field] of Object.entries(properties)) {
    if (!isFormField(field)) throw new TypeError(`A form cannot have the field "${name}": only texts, numbers, booleans and choices.`);
  }
  return { type: 'object', properties: properties as FormSchema['properties'], ...(required !== undefined && { required }) };
}

/** The answer in the shape of the schema. @throws ZodError when what was accepted does not fit */
export function formAnswerOf<T>(schema: z.ZodType<T>, { action, content }: ElicitResult): FormAnswer<T> {
  return action === 'accept' ? { action, content: schema.parse(content ?? {}) } : { action };
}

function isFormField(field: unknown): boolean {
  if (typeof field !== 'object' || field === null || !('type' in field)) return false;
  if (field.type === 'array') return 'items' in field && isChoice(field.items);
  return typeof field.type === 'string' && FIELD_TYPES.has(field.type);
}

function isChoice(items: unknown): boolean {
  return typeof items === 'object' && items !== null && ('enum' in items || 'anyOf' in items);
}
