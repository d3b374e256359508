/**
 * Checks arguments by a zod schema. Many clients and models send null for an argument that they leave out. So a member
 * of an object that is null is taken as absent if the schema refuses it; a schema that accepts null gets it.
 */
import type { z } from 'zod';
import type { CheckedArguments } from './tool.js';
import { parseUntrusted } from './parse-untrusted.js';
import { describeIssues } from './tool-result.js';

type Path = readonly PropertyKey[];
type Issue = z.core.$ZodIssue;

/** The arguments as the schema makes them. Of what it refuses, one clause per field; a required one that is null is named so. */
export function checkArguments<T extends z.ZodType>(schema: T, args: unknown): CheckedArguments<z.output<T>> {
  const parsed = parse(schema, args);
  return 'issues' in parsed ? { ok: false, message: describeIssues(parsed) } : { ok: true, value: parsed.data };
}

/** What was null may have hidden that something else is: so often it is looked for again. */
const MAX_ROUNDS = 4;

function parse<T extends z.ZodType>(
  schema: T,
  args: unknown,
  rounds = MAX_ROUNDS,
): { readonly data: z.output<T> } | { readonly issues: readonly Issue[] } {
  const early = parseUntrusted(schema, args);
  if (early.success) return early;
  if (rounds === 0 || nullsAmong(early.error.issues, schema, args).next().done === true) return early.error;
  // Of a large value, only the first wrong item is known so far.
  const { issues } = schema.safeParse(args).error ?? early.error;
  const again = parse(schema, without(args, nullsAmong(issues, schema, args)), rounds - 1);
  if (!('issues' in again)) return again;
  const asGiven = new Map(issues.map((issue) => [JSON.stringify(issue.path), issue]));
  return { issues: again.issues.map((issue) => asGiven.get(JSON.stringify(issue.path)) ?? issue) };
}

/** The paths of members that are null, and that the schema declares and refuses. */
function* nullsAmong(issues: readonly Issue[], schema: z.ZodType, args: unknown): Generator<Path, undefined> {
  for (const path of pathsOf(issues)) if (isNullMember(args, path) && isDeclared(schema, path)) yield path;
}

/** Where something is wrong, in the branches of unions too. */
function pathsOf(issues: readonly Issue[], base: Path = []): readonly Path[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...issue.path];
    return issue.code === 'invalid_union' ? [path, ...issue.errors.flatMap((branch) => pathsOf(branch, path))] : [path];
  });
}

function isNullMember(args: unknown, path: Path): boolean {
  const holder = path.slice(0, -1).reduce(memberOf, args);
  return path.length > 0 && !Array.isArray(holder) && memberOf(holder, path.at(-1) as PropertyKey) === null;
}

function memberOf(value: unknown, name: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[name] : undefined;
}

/** A copy without some members. */
function without(value: unknown, paths: Iterable<Path>): unknown {
  const copy = structuredClone(value);
  for (const path of paths) {
    const holder = path.slice(0, -1).reduce(memberOf, copy);
    if (typeof holder === 'object' && holder !== null) delete (holder as Record<PropertyKey, unknown>)[path.at(-1) as PropertyKey];
  }
  return copy;
}

/** Whether the path leads to a property that an object names. What a record holds is a value, which is not left out unasked. */
function isDeclared(schema: z.core.$ZodType, [name, ...rest]: Path): boolean {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  const inner = (next: z.core.$ZodType): boolean => isDeclared(next, name === undefined ? [] : [name, ...rest]);
  switch (def.type) {
    case 'object': {
      const property = typeof name === 'string' && Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
      return property !== undefined && (rest.length === 0 || isDeclared(property, rest));
    }
    case 'array':
      return isDeclared(def.element, rest);
    case 'tuple': {
      const item = typeof name === 'number' ? (def.items[name] ?? def.rest) : undefined;
      return item !== undefined && item !== null && isDeclared(item, rest);
    }
    case 'record':
      return rest.length > 0 && isDeclared(def.valueType, rest);
    case 'union':
      return def.options.some(inner);
    case 'intersection':
      return inner(def.left) || inner(def.right);
    case 'pipe':
      return inner(def.in) || inner(def.out);
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
      return false;
  }
}
