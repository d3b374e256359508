import { describe, expect, it } from 'vitest';
import { looseSchema } from './loose-schema.js';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

describe('a schema', () => {
  it.each([
    ['has no references', object({ a: { type: 'string', enum: ['$ref'] } })],
    ['refers to its own parts', object({ a: { $ref: '#/$defs/x' }, b: { $ref: '#/$defs/x' } }, { $defs: { x: { type: 'string' } } })],
    ['refers by names', object({ a: { $ref: '#x' }, b: { $ref: 'y' } }, { $defs: { x: { $anchor: 'x' }, y: { $id: 'y' } } })],
    ['has references as values', object({ a: { default: { $ref: '#/nowhere' } } })],
  ])('that %s stays as it is', (_title, schema) => {
    const loose = looseSchema(schema);
    expect(loose.schema).toBe(schema);
    expect(loose.references).toEqual([]);
  });

  it('allows anything where a reference leads nowhere', () => {
    const schema = object({
      default: { $ref: '#/$defs/gone', description: 'A' },
      b: { $ref: 'https://elsewhere.example/schema' },
      c: { $ref: '#x' },
    });
    expect(looseSchema(schema)).toEqual({
      schema: object({ default: { description: 'A' }, b: {}, c: {} }),
      references: ['#/$defs/gone', 'https://elsewhere.example/schema', '#x'],
    });
  });

  it('allows anything of its type where a reference leads back', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' }, whole: { $ref: '#' } } };
    expect(looseSchema(object({ node: { $ref: '#/$defs/node' } }, { $defs: { node } }))).toEqual({
      schema: object(
        { node: { $ref: '#/$defs/node' } },
        { $defs: { node: { type: 'object', properties: { next: { type: 'object' }, whole: { type: 'object' } } } } },
      ),
      references: ['#/$defs/node', '#'],
    });
  });

  it('allows anything where references lead back in a circle', () => {
    const $defs = { a: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/b' }] }, b: { items: { $ref: '#/$defs/a' } } };
    const { schema, references } = looseSchema(object({ a: { $ref: '#/$defs/a' } }, { $defs }));
    expect(schema).toEqual(object({ a: { $ref: '#/$defs/a' } }, { $defs: { ...$defs, b: { items: {} } } }));
    expect(references).toEqual(['#/$defs/a']);
  });
});
