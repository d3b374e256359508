/**
 * Loosens schemas of servers that clients cannot read: a reference that leads nowhere, and one that leads back to where it stands. In its place
 * any value is allowed, of the type that it leads to if that is known. The server checks arguments itself, and what fits its schema fits the
 * looser one.
 */
import { schemaPartAt } from '@longhaul/mcp-features';
import { isJsonObject, type JsonObject } from '@longhaul/tasks/json';

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const;
/** Members that name a part, to which references lead by that name. */
const NAMES = ['$id', '$anchor', '$dynamicAnchor'] as const;
/** Members that are values and no schemas. */
const VALUES: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);

/** Members with schemas by any names. */
const BY_NAME: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/** A schema, and the references that it does not have any more. */
export interface LooseSchema<T> {
  readonly schema: T;
  readonly references: readonly string[];
}

export function looseSchema<T extends object>(schema: T): LooseSchema<T> {
  const found = new Search(schema);
  if (found.replaced.size === 0) return { schema, references: [] };
  return { schema: copied(schema, found.replaced) as T, references: [...found.references] };
}

/** Looks for such references. Each part that is referred to is looked at once, in the course of the parts that lead to it. */
class Search {
  /** Their replacement. */
  readonly replaced = new Map<object, object>();
  readonly references = new Set<string>();
  readonly #names: ReadonlySet<string>;
  readonly #open = new Set<unknown>();
  readonly #done = new Set<unknown>();

  constructor(private readonly root: object) {
    this.#names = namesIn(root);
    this.#look(root);
  }

  #look(part: unknown): void {
    this.#open.add(part);
    for (const holder of objectsIn(part))
      for (const name of REFERENCES) {
        const reference = holder[name];
        if (typeof reference === 'string') this.#follow(holder, name, reference);
      }
    this.#open.delete(part);
    this.#done.add(part);
  }

  #follow(holder: JsonObject, name: string, reference: string): void {
    if (!reference.startsWith('#/') && reference !== '#') {
      if (!this.#names.has(reference.replace(/^#/, ''))) this.#replace(holder, name, reference, undefined);
      return;
    }
    const target = reference === '#' ? this.root : schemaPartAt(this.root, reference);
    if (target === undefined || this.#open.has(target)) this.#replace(holder, name, reference, target);
    else if (!this.#done.has(target)) this.#look(target);
  }

  #replace(holder: JsonObject, name: string, reference: string, target: unknown): void {
    const { [name]: _reference, ...rest } = holder;
    const type = isJsonObject(target) ? target['type'] : undefined;
    this.replaced.set(holder, { ...(type !== undefined && { type }), ...rest });
    this.references.add(reference);
  }
}

/** The objects in a part of a schema, itself included. */
function objectsIn(part: unknown): readonly JsonObject[] {
  const found: JsonObject[] = [];
  const left = [part];
  for (const value of left) {
    if (Array.isArray(value)) left.push(...(value as unknown[]));
    else if (isJsonObject(value)) {
      found.push(value);
      for (const [name, member] of Object.entries(value)) {
        if (BY_NAME.has(name) && isJsonObject(member)) left.push(...Object.values(member));
        else if (!VALUES.has(name)) left.push(member);
      }
    }
  }
  return found;
}

function namesIn(schema: unknown): ReadonlySet<string> {
  return new Set(
    objectsIn(schema).flatMap((holder) => NAMES.map((name) => holder[name]).filter((value): value is string => typeof value === 'string')),
  );
}

function copied(value: unknown, replaced: ReadonlyMap<object, object>): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => copied(one, replaced));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(replaced.get(value) ?? value);
  return Object.fromEntries(members.map(([name, member]) => [name, copied(member, replaced)]));
}
