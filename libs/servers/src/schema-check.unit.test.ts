import { describe, expect, it } from 'vitest';
import { schemaProblem } from './schema-check.js';

const LONG_TEXT = `${'a'.repeat(60)}!`;

describe('a check against a JSON Schema', () => {
  it('names all that does not fit, and cuts a long list of it', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'array', items: { type: 'integer' } } } };
    expect(schemaProblem(schema, { a: 1, b: ['x'] })).toBe('data/a must be string, data/b/0 must be integer');
    expect(schemaProblem(schema, { b: Array.from({ length: 1_000 }, () => 'x') })).toMatch(/more bytes are left out]$/);
    expect(schemaProblem(schema, { a: 'x', b: [1] })).toBeUndefined();
  });

  it('reads each dialect in its own way', () => {
    const tuple = [{ type: 'string' }];
    const dialects = {
      'http://json-schema.org/draft-07/schema#': { items: tuple },
      'https://json-schema.org/draft/2019-09/schema': { items: tuple },
      'https://json-schema.org/draft/2020-12/schema': { prefixItems: tuple },
    };
    for (const [$schema, rest] of Object.entries(dialects)) expect(schemaProblem({ $schema, ...rest }, [1])).toBe('data/0 must be string');
    expect(schemaProblem({ prefixItems: tuple }, [1])).toBe('data/0 must be string');
  });

  it('looks at patterns and references, and not at formats', () => {
    const properties = { a: { type: 'string', pattern: '^x' }, b: { $ref: '#/$defs/b' }, c: { type: 'integer', format: 'uint32' } };
    const schema = { properties, $defs: { b: { type: 'string' } } };
    expect(schemaProblem(schema, { a: 'y', b: 1, c: -1 })).toBe('data/a must match pattern "^x", data/b must be string');
  });

  it.each(['constructor', 'toString', '__proto__'])('does not take what every object inherits for a member: %s', (name) => {
    expect(schemaProblem({ required: [name] }, {})).toBe(`data must have required property '${name}'`);
    expect(schemaProblem({ properties: { constructor: { type: 'string' } } }, {})).toBeUndefined();
  });

  it('takes two schemas of the same $id for two', () => {
    expect(schemaProblem({ $id: 'https://example.com/a', type: 'string' }, 'x')).toBeUndefined();
    expect(schemaProblem({ $id: 'https://example.com/a', type: 'integer' }, 'x')).toBe('data must be integer');
  });

  it('is stopped when it would take for ever, and then left to the server', () => {
    const next = (level: number): object => ({ allOf: [1, 2].map(() => ({ $ref: `#/$defs/d${level + 1}` })) });
    const levels = Object.fromEntries(Array.from({ length: 40 }, (_, level) => [`d${level}`, next(level)]));
    const schema = { $ref: '#/$defs/d0', $defs: { ...levels, d40: { type: 'string' } } };
    expect(schemaProblem(schema, LONG_TEXT)).toBeUndefined();
    expect(schemaProblem(schema, LONG_TEXT)).toBeUndefined();
  });

  it.each(['^(a+)+$', '^(a|a)*$'])('runs the pattern %s in linear time', (pattern) => {
    const fits = `data must match pattern "${pattern}"`;
    expect(schemaProblem({ pattern }, LONG_TEXT)).toBe(fits);
    expect(schemaProblem({ patternProperties: { [pattern]: false } }, { [LONG_TEXT]: 1, aa: 1 })).toContain('false');
  });

  it('is left to the server where a pattern looks ahead or back', () => {
    expect(schemaProblem({ pattern: '^(?=a)b' }, 'b')).toBeUndefined();
  });

  it('is stopped when all items of a long list would be compared', () => {
    const items = Array.from({ length: 30_000 }, (_, index) => [index]);
    expect(schemaProblem({ uniqueItems: true }, items)).toBeUndefined();
  });

  it('is left to the server where the schema leads nowhere, round in circles, or has a dialect that nobody knows', () => {
    expect(schemaProblem({ $ref: 'https://example.com/other.json' }, 1)).toBeUndefined();
    expect(schemaProblem({ allOf: [{ $ref: '#' }] }, 1)).toBeUndefined();
    expect(schemaProblem({ $schema: 'https://example.com/dialect', type: 'string' }, 1)).toBeUndefined();
  });

  it('is stopped where a value is long for a simple schema', () => {
    const items = Array.from({ length: 200_000 }, (_, index) => ({ index }));
    expect(schemaProblem({ type: 'array', uniqueItems: true }, items)).toBeUndefined();
  });

  it('is left to the server where the schema makes it asynchronous', async () => {
    const rejected: unknown[] = [];
    const listen = (reason: unknown): void => void rejected.push(reason);
    process.on('unhandledRejection', listen);
    expect(schemaProblem({ $async: true, type: 'object', required: ['a'] }, {})).toBeUndefined();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listen);
    expect(rejected).toEqual([]);
  });
});
