import { expect, it } from 'vitest';
import { hasRecursion } from './recursive-schema.js';

it.each([
  ['to the whole', { properties: { child: { $ref: '#' } } }],
  ['to a part that contains it', { properties: { a: { items: { $ref: '#/properties/a' } } } }],
  ['in two steps', { $ref: '#/$defs/a', $defs: { a: { items: { $ref: '#/$defs/b' } }, b: { not: { $ref: '#/$defs/a' } } } }],
  ['by an escaped name', { $ref: '#/$defs/a~1b%25', $defs: { 'a/b%': { items: { $ref: '#/$defs/a~1b%25' } } } }],
  ['dynamically', { items: { $dynamicRef: '#' } }],
])('finds a schema that refers to itself %s', (_how, schema) => {
  expect(hasRecursion(schema)).toBe(true);
});

it.each([
  ['nothing', {}],
  ['one part twice', { properties: { a: { $ref: '#/$defs/c' }, b: { $ref: '#/$defs/c' } }, $defs: { c: { type: 'string' } } }],
  ['what is not there', { $ref: '#/$defs/none/of/it', title: 'x' }],
  ['a part with a bare percent sign', { $ref: '#/$defs/100%', $defs: { '100%': {} } }],
  ['another document', { $ref: 'https://example.com/tree.json' }],
  ['a property that is called like a reference', { properties: { $ref: { type: 'string' } } }],
])('finds nothing in a schema that refers to %s', (_what, schema) => {
  expect(hasRecursion(schema)).toBe(false);
});
