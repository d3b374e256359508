/** Checks the searchable arguments of a tool's definition: what is misspelt would be found when somebody searches, and finds nothing. */
import { MAX_SEARCHABLE } from '@longhaul/tasks';

const MAX_CHARACTERS = 128;
/** Members of a JSON Schema that allow properties which it does not name. */
const ALLOWS_MORE = ['additionalProperties', 'patternProperties', '$ref', 'allOf', 'anyOf', 'oneOf'];

/** @param schema of the arguments. @throws TypeError that names the tool and the path */
export function requireSearchable(owner: string, paths: readonly string[] | undefined, schema: unknown): void {
  if (paths === undefined) return;
  if (!Array.isArray(paths) || paths.length === 0 || paths.length > MAX_SEARCHABLE)
    throw new TypeError(
      `${owner}: searchable must be a list of 1 to ${MAX_SEARCHABLE} paths of arguments, and is ${JSON.stringify(paths)}.`,
    );
  for (const path of paths as readonly unknown[]) {
    const problem = typeof path === 'string' ? problemOf(path, schema) : 'is no path of an argument, such as "customer.id"';
    if (problem !== undefined) throw new TypeError(`${owner}: searchable: ${JSON.stringify(path)} ${problem}.`);
  }
  if (new Set(paths).size < paths.length) throw new TypeError(`${owner}: searchable names a path twice: ${paths.join(', ')}.`);
}

function problemOf(path: string, schema: unknown): string | undefined {
  if (path.split('.').includes('') || /[\s="]/.test(path)) return 'is no path of an argument, such as "customer.id"';
  if (path.length > MAX_CHARACTERS) return `has ${path.length} characters; at most ${MAX_CHARACTERS} are allowed`;
  let present: unknown = schema;
  for (const name of path.split('.')) {
    if (!isObject(present)) return undefined;
    const { properties } = present;
    if (isObject(properties) && Object.hasOwn(properties, name)) present = properties[name];
    else if (present['type'] === 'array' || (isObject(properties) && !ALLOWS_MORE.some((member) => allows(present, member))))
      return 'is not in its input';
    else return undefined;
  }
  const type = isObject(present) ? present['type'] : undefined;
  return type === 'object' || type === 'array' ? `is an ${type}, and must be a text, a number or a boolean` : undefined;
}

function allows(schema: unknown, member: string): boolean {
  return isObject(schema) && schema[member] !== undefined && schema[member] !== false;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
