/**
 * Checks arguments by a zod schema. Many clients and models send null for an argument that they leave out. So a null member of an object
 * counts as absent if the schema refuses null there and the member may be absent. A schema that accepts null receives it.
 */
import { z } from 'zod';
import type { CheckedArguments } from './tool.js';
import { parseUntrusted } from './parse-untrusted.js';
import { describeIssues } from './tool-result.js';

type Schema = z.core.$ZodType;
type Shape = Readonly<Record<string, Schema>>;

/** The arguments as the schema makes them. Of what it refuses, one clause per field; a required one that is null is named so. */
export function checkArguments<T extends z.ZodType>(schema: T, args: unknown): CheckedArguments<z.output<T>> {
  const asGiven = parseUntrusted(schema, args);
  if (asGiven.success) return { ok: true, value: asGiven.data };
  const cleared = structuredClone(args);
  const parsed = clear([schema], cleared) ? parseUntrusted(schema, cleared) : asGiven;
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, message: describeIssues(parsed.error) };
}

/**
 * Removes null where it means a missing member, in one walk. Other mistakes in a large value cost nothing, however frequent.
 *
 * @param schemas the value may fit any one of them
 * @returns whether anything was removed
 */
function clear(schemas: readonly Schema[], value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const defs = schemas.flatMap((schema) => plain(schema));
  let isChanged = false;
  if (Array.isArray(value)) {
    const ofAll = defs.flatMap((def) => (def.type === 'array' ? [def.element] : []));
    const tuples = defs.flatMap((def) => (def.type === 'tuple' ? [def] : []));
    for (const [at, item] of value.entries()) {
      const ofThis = tuples.flatMap(({ items, rest }) => items[at] ?? rest ?? []);
      isChanged = clear([...ofAll, ...ofThis], item) || isChanged;
    }
    return isChanged;
  }
  const members = value as Record<string, unknown>;
  const shapes = shapesOf(defs, members);
  const ofAll = defs.flatMap((def) => (def.type === 'record' ? [def.valueType] : []));
  for (const [name, member] of Object.entries(members)) {
    const declared = shapes.flatMap((shape) => (Object.hasOwn(shape, name) ? (shape[name] ?? []) : []));
    if (member !== null) isChanged = clear([...declared, ...ofAll], member) || isChanged;
    // A member of a record is a value, which is never removed.
    else if (declared.some(isOptional) && !declared.some(acceptsNull)) {
      delete members[name];
      isChanged = true;
    }
  }
  return isChanged;
}

/** Selects the object shapes with constants that the value has: the intended branch of a union. */
function shapesOf(defs: readonly z.core.$ZodTypes['_zod']['def'][], members: Readonly<Record<string, unknown>>): readonly Shape[] {
  const shapes = defs.flatMap((def) => (def.type === 'object' ? [def.shape] : []));
  if (shapes.length < 2) return shapes;
  return shapes.filter((shape) =>
    Object.entries(shape).every(
      ([
        name,
        {
          _zod: { def },
        },
      ]) => !isLiteral(def) || def.values.includes(members[name] as string),
    ),
  );
}

function isLiteral(def: z.core.$ZodTypeDef): def is z.core.$ZodLiteralDef<z.core.util.Literal> {
  return def.type === 'literal';
}

function isOptional(schema: Schema): boolean {
  return schema._zod.optin !== undefined;
}

const acceptingNull = new WeakMap<Schema, boolean>();

function acceptsNull(schema: Schema): boolean {
  const known = acceptingNull.get(schema) ?? z.core.safeParse(schema, null).success;
  acceptingNull.set(schema, known);
  return known;
}

/** The schemas behind wrappers and unions. */
function plain(schema: Schema, seen: Set<Schema> = new Set()): z.core.$ZodTypes['_zod']['def'][] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  const inner = (...next: Schema[]): z.core.$ZodTypes['_zod']['def'][] => next.flatMap((one) => plain(one, seen));
  switch (def.type) {
    case 'union':
      return inner(...def.options);
    case 'intersection':
      return inner(def.left, def.right);
    case 'pipe':
      return inner(def.in, def.out);
    case 'lazy':
      return inner(def.getter());
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return inner(def.innerType);
    default:
      return [def];
  }
}
