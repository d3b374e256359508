/** Finds JSON schemas that contain themselves, which some clients cannot read. */

const ROOT = '#';
const REFERENCES = new Set(['$ref', '$dynamicRef', '$recursiveRef']);

/**
 * Whether a part of the schema refers to itself, directly or by way of other parts. References to other documents and by names (`$anchor`)
 * are not followed.
 */
export function hasRecursion(schema: object): boolean {
  const found = new Map<string, ReadonlySet<string>>([[ROOT, referencesIn(schema)]]);
  for (const [, references] of found) {
    for (const pointer of references) if (!found.has(pointer)) found.set(pointer, referencesIn(schemaPartAt(schema, pointer)));
  }
  // Parts that lead to an end are taken away, the last ones first. What stays goes round in circles.
  let left = [...found].toReversed();
  for (;;) {
    const open = new Set(left.map(([pointer]) => pointer));
    const stays = left.filter(([pointer, references]) => {
      const isOpen = [...references].some((next) => open.has(next));
      if (!isOpen) open.delete(pointer);
      return isOpen;
    });
    if (stays.length === left.length) return stays.length > 0;
    left = stays;
  }
}

/** The pointers within the document that are anywhere in a part of it. */
function referencesIn(part: unknown): Set<string> {
  const found = new Set<string>();
  const left = [part];
  for (const value of left) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== 'string') left.push(member);
      else if (REFERENCES.has(name) && (member === ROOT || member.startsWith('#/'))) found.add(member);
    }
  }
  return found;
}

/** The part to which a pointer such as `#/$defs/node` leads; `undefined` if there is none. */
export function schemaPartAt(schema: object, pointer: string): unknown {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => decoded(name).replaceAll('~1', '/').replaceAll('~0', '~'));
  let part: unknown = schema;
  for (const name of names) part = typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[name] : undefined;
  return part;
}

/** Authors also write a "%" as it is. */
function decoded(name: string): string {
  return /%(?![\da-f]{2})/i.test(name) ? name : decodeURIComponent(name);
}
