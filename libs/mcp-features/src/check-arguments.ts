/**
 * Checks arguments by a zod schema. Many clients and models send null for an argument that they leave out. So a member
 * of an object that is null is taken as absent if the schema refuses it; a schema that accepts null gets it.
 */
import type { z } from 'zod';
import type { CheckedArguments } from './tool.js';
import { describeIssues } from './tool-result.js';

type Path = readonly PropertyKey[];
type Issue = z.core.$ZodIssue;

/** The arguments as the schema makes them. Of what it refuses, one clause per field; a required one that is null is named so. */
export function checkArguments<T extends z.ZodType>(schema: T, args: unknown): CheckedArguments<z.output<T>> {
  const parsed = parse(schema, args);
  return 'issues' in parsed ? { ok: false, message: describeIssues(parsed) } : { ok: true, value: parsed.data };
}

function parse<T extends z.ZodType>(schema: T, args: unknown): { readonly data: z.output<T> } | { readonly issues: Issue[] } {
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed;
  const { issues } = parsed.error;
  const nulls = pathsOf(issues).filter((path) => isNullMember(args, path) && isDeclared(schema, path));
  if (nulls.length === 0) return { issues };
  const again = parse(schema, nulls.reduce(without, args));
  if (!('issues' in again)) return again;
  return { issues: again.issues.map((issue) => issues.find(({ path }) => isSame(path, issue.path)) ?? issue) };
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

/** A copy without one member. */
function without(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, at) => (at === name ? without(item, rest) : item) as unknown);
  const { [name]: member, ...others } = value as Record<PropertyKey, unknown>;
  return rest.length === 0 ? others : { ...value, [name]: without(member, rest) };
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

function isSame(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at]);
}
