import type { Json } from '@longhaul/tasks';
import { expect, it } from 'vitest';
import { MAX_SCHEMA_BYTES, MAX_SCHEMA_DEPTH, MAX_SCHEMA_REFERENCES, requireBoundedSchema } from './schema-bounds.js';

const nested = (levels: number): Json => (levels === 1 ? {} : { not: nested(levels - 1) });
const references = (count: number): Json => ({
  allOf: Array.from({ length: count }, (_, at) => ({ [at % 2 ? '$ref' : '$dynamicRef']: '#' })),
});
const text = (bytes: number): Json => ({ const: 'x'.repeat(bytes - '{"const":""}'.length) });

it.each<[string, Json, Json, string]>([
  ['bytes', text(MAX_SCHEMA_BYTES), text(MAX_SCHEMA_BYTES + 1), 'output_schema has 16385 bytes; at most 16384 are taken.'],
  ['levels', nested(MAX_SCHEMA_DEPTH), nested(MAX_SCHEMA_DEPTH + 1), 'output_schema is nested too deep; at most 32 levels are taken.'],
  [
    'references',
    references(MAX_SCHEMA_REFERENCES),
    references(MAX_SCHEMA_REFERENCES + 1),
    'output_schema has 65 references; at most 64 are taken.',
  ],
])('a schema with the most %s is taken, and refused with more, by its field and the limit', (_what, most, more, message) => {
  expect(() => requireBoundedSchema('output_schema', most)).not.toThrow();
  expect(() => requireBoundedSchema('output_schema', more)).toThrow(new RangeError(message));
});
