/** Limits the schema of an answer. Only its size is checked here: a gateway compiles no schema of a caller. */
import type { Json } from '@longhaul/tasks';

/** Bytes of its JSON. */
export const MAX_SCHEMA_BYTES = 16_384;
/** Levels of objects and lists. */
export const MAX_SCHEMA_DEPTH = 32;
/** Each is followed again for each value that it is about. */
export const MAX_SCHEMA_REFERENCES = 64;

const REFERENCES: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef']);

/** @throws RangeError that names the field and the limit */
export function requireBoundedSchema(field: string, schema: Json): void {
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  if (bytes > MAX_SCHEMA_BYTES) throw new RangeError(`${field} has ${bytes} bytes; at most ${MAX_SCHEMA_BYTES} are taken.`);
  let references = 0;
  let level = nestedIn([schema]);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_SCHEMA_DEPTH) throw new RangeError(`${field} is nested too deep; at most ${MAX_SCHEMA_DEPTH} levels are taken.`);
    references += level.flatMap((value) => Object.keys(value)).filter((name) => REFERENCES.has(name)).length;
    level = nestedIn(level.flatMap((value) => Object.values(value) as Json[]));
  }
  if (references > MAX_SCHEMA_REFERENCES)
    throw new RangeError(`${field} has ${references} references; at most ${MAX_SCHEMA_REFERENCES} are taken.`);
}

function nestedIn(values: readonly Json[]): readonly object[] {
  return values.filter((value) => typeof value === 'object' && value !== null);
}
