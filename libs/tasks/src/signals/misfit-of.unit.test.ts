import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../domain/json.js';
import { misfitOf } from './misfit-of.js';

const SCHEMAS: readonly JsonObject[] = [
  {},
  { type: 'null' },
  { type: ['string', 'integer'] },
  { type: 'number', minimum: 1, maximum: 3 },
  { exclusiveMinimum: 1, exclusiveMaximum: 3 },
  { multipleOf: 0.5 },
  { type: 'string', minLength: 2, maxLength: 3 },
  { pattern: '^a+$' },
  { enum: ['a', 1, { a: 1 }, [1, 2]] },
  { const: { a: 1, b: [null] } },
  { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2 },
  { prefixItems: [{ type: 'string' }], items: false },
  { prefixItems: [{ type: 'string' }] },
  { uniqueItems: true },
  { type: 'object', properties: { a: { type: 'integer' }, b: false }, required: ['a'], additionalProperties: false },
  { properties: { a: { type: 'integer' } }, additionalProperties: { type: 'string' } },
  { patternProperties: { '^x': { type: 'number' } }, additionalProperties: false },
  { properties: { xa: { type: 'integer' } }, patternProperties: { '^x': { minimum: 2 } } },
  { additionalProperties: { type: 'integer' } },
  { propertyNames: { maxLength: 1 }, minProperties: 1, maxProperties: 2 },
  { allOf: [{ type: 'integer' }, { minimum: 2 }] },
  { anyOf: [{ type: 'string' }, { minimum: 2 }] },
  { oneOf: [{ type: 'integer' }, { minimum: 2 }] },
  { not: { type: 'string' } },
  { $ref: '#/$defs/tree', $defs: { tree: { type: 'object', properties: { a: { $ref: '#/$defs/tree' } }, additionalProperties: false } } },
  { properties: { a: { $ref: '#' } }, additionalProperties: false },
];

const VALUES: readonly Json[] = [
  null,
  true,
  0,
  1,
  1.5,
  2,
  3,
  '',
  'a',
  'aa',
  '😀😀',
  'b'.repeat(4),
  [],
  [1],
  [1, 2],
  [2, 1],
  [1, 1, 1],
  [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ],
  ['a'],
  ['a', 1],
  {},
  { a: 1 },
  { a: 'x' },
  { a: {} },
  { a: { a: {} } },
  { a: 1, b: [null] },
  { b: 1 },
  { a: 1, c: 'x' },
  { xa: 1 },
  { xa: 2, y: 1 },
  { constructor: 1 },
];

describe('the check of a value', () => {
  it.each(SCHEMAS)('says the same as another validator: %j', (schema) => {
    const fits = new Ajv2020({ strict: false, ownProperties: true }).compile(schema);
    for (const value of VALUES) expect([value, misfitOf(schema, value) === undefined]).toEqual([value, fits(value)]);
  });

  it.each<[string, JsonObject, Json, string]>([
    ['the field', { properties: { a: { items: { type: 'string' } } } }, { a: ['x', 1] }, '"a.1" must be of type string.'],
    ['the whole value', { type: 'object' }, 1, 'the value must be of type object.'],
    ['a missing field', { required: ['name'] }, {}, '"name" is required.'],
    ['a format', { format: 'email' }, 'nobody', 'the value must be an e-mail address.'],
    ['a date', { format: 'date' }, '2026-02-30x', 'the value must be a date, such as 2026-01-31.'],
    ['a day', { format: 'date' }, '2026-02-29', 'the value must be a date, such as 2026-01-31.'],
    [
      'a moment of a day',
      { format: 'date-time' },
      '2026-02-29T12:00:00Z',
      'the value must be a date with time, such as 2026-01-31T12:00:00Z.',
    ],
    ['a long text', { pattern: 'a' }, 'b'.repeat(20_000), 'the value must have at most 16384 characters.'],
  ])('names %s', (_, schema, value, message) => {
    expect(misfitOf(schema, value)?.message).toBe(message);
  });

  it('comes to an end where a schema would take for ever', () => {
    const deep = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } };
    expect(misfitOf(deep, 1)?.message).toContain('takes too long');
    const twice = { anyOf: [{ items: { $ref: '#' }, type: 'array' }, { items: { $ref: '#' }, type: 'array' }, { const: 'x' }] };
    let nested: Json = 1;
    for (let level = 0; level < 40; level++) nested = [nested];
    expect(misfitOf(twice, nested)).toBeDefined();
  });
});
