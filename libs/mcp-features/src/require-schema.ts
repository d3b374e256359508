/**
 * Checks the schemas of features when they are defined. Types find the same mistakes, but features are written in JavaScript too, and Node
 * runs TypeScript without a look at its types.
 */

import { z } from 'zod';

const EXAMPLE = 'z.object({ city: z.string() })';

/**
 * @param owner the owner of the schema, as in `Tool echo`
 * @param member of the definition
 * @throws TypeError that names both and the expected type, if this is no object schema of zod 4
 */
export function requireZodObject(owner: string, member: string, schema: unknown): void {
  const problem = problemOf(schema);
  if (problem !== undefined) throw new TypeError(`${owner}: "${member}" ${problem}.`);
}

/** The same, but a JSON Schema will do as well. @throws TypeError */
export function requireInputSchema(owner: string, input: unknown): void {
  if (input === undefined)
    throw new TypeError(`${owner} has no "input": give it a zod object such as ${EXAMPLE}, or z.object({}) if it takes no arguments.`);
  if (!isJsonSchema(input)) requireZodObject(owner, 'input', input);
}

function problemOf(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null) return `is no zod object: write it as ${EXAMPLE}`;
  const zodType = zodTypeOf(schema);
  if (zodType === 'object') return undefined;
  if (zodType !== undefined) return `is a zod ${zodType} and has to be a zod object: write it as ${EXAMPLE}`;
  if (isZod3(schema)) return ZOD_3;
  const members = Object.values(schema);
  if (members.some((member) => isZod3(member))) return ZOD_3;
  if (members.some((member) => zodTypeOf(member) !== undefined)) return 'has zod types as its members: put z.object(…) around them';
  return `is no zod object: write it as ${EXAMPLE}`;
}

/**
 * The JSON Schema of a zod object.
 *
 * @param owner the owner of the schema, as in `Tool echo: "input"`
 * @throws TypeError that names the owner and the field, for a type that JSON Schema does not have
 */
export function jsonSchemaOf(owner: string, schema: z.ZodObject, io: 'input' | 'output'): object {
  try {
    return z.toJSONSchema(schema, { io });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`${owner} has a field that no client can be told of, ${fieldIn(schema, io)}: ${message}.`, { cause });
  }
}

/** The first field with a type that JSON Schema does not have, as in `order.at`. */
function fieldIn(schema: z.ZodObject, io: 'input' | 'output'): string {
  for (const [name, field] of Object.entries(schema.shape)) {
    try {
      z.toJSONSchema(field, { io });
    } catch {
      return field instanceof z.ZodObject ? `${name}.${fieldIn(field, io)}` : name;
    }
  }
  return 'all of it together';
}

const ZOD_3 = "was made by zod 3: install zod 4, or import { z } from 'zod/v4' if your zod is 3.25 or newer";

/** The kind of a zod 4 type, as in `string`; nothing for anything else. */
function zodTypeOf(value: unknown): string | undefined {
  const { _zod: zod } = (typeof value === 'object' && value !== null ? value : {}) as { readonly _zod?: { def?: { type?: string } } };
  return zod?.def?.type;
}

function isZod3(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'safeParse' in value && '_def' in value && !('_zod' in value);
}

function isJsonSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !('safeParse' in value) && 'type' in value && value.type === 'object';
}
