import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkArguments } from './check-arguments.js';

function parsed(schema: z.ZodType, args: unknown): unknown {
  const checked = checkArguments(schema, args);
  return checked.ok ? checked.value : checked.message;
}

const item = z.object({ name: z.string(), note: z.string().optional() });

describe('an argument that is null', () => {
  it.each<[string, z.ZodType, unknown, unknown]>([
    ['is absent where it is optional', z.object({ a: z.string().optional() }), { a: null }, {}],
    ['has its default', z.object({ a: z.number().default(3) }), { a: null }, { a: 3 }],
    [
      'stays null where the schema accepts null',
      z.object({ a: z.string().nullish(), b: z.int().optional() }),
      { a: null, b: null },
      { a: null },
    ],
    ['is absent in an object', z.object({ deep: item }), { deep: { name: 'x', note: null } }, { deep: { name: 'x' } }],
    [
      'is absent in each object of an array',
      z.object({ all: z.array(item) }),
      {
        all: [
          { name: 'x', note: null },
          { name: 'y', note: null },
        ],
      },
      { all: [{ name: 'x' }, { name: 'y' }] },
    ],
    [
      'is absent in a tuple',
      z.object({ pair: z.tuple([z.int(), item]) }),
      { pair: [1, { name: 'x', note: null }] },
      { pair: [1, { name: 'x' }] },
    ],
    [
      'is absent in an object of a record',
      z.object({ by: z.record(z.string(), item) }),
      { by: { k: { name: 'x', note: null } } },
      { by: { k: { name: 'x' } } },
    ],
    [
      'is absent in a branch of a union',
      z.object({ is: z.union([z.string(), item]) }),
      { is: { name: 'x', note: null } },
      { is: { name: 'x' } },
    ],
    [
      'is absent in the branch of a union that is meant, and a value in another one',
      z.object({
        all: z.array(
          z.discriminatedUnion('is', [
            z.object({ is: z.literal('a'), note: z.string().optional() }),
            z.object({ is: z.literal('b'), note: z.string().nullable() }),
          ]),
        ),
      }),
      {
        all: [
          { is: 'a', note: null },
          { is: 'b', note: null },
        ],
      },
      { all: [{ is: 'a' }, { is: 'b', note: null }] },
    ],
    ['is absent in a strict object', z.strictObject({ a: z.string().optional() }), { a: null }, {}],
    [
      'is absent where what is made of it is checked',
      z.object({ a: z.string().optional() }).refine(({ a }) => a === undefined),
      { a: null },
      {},
    ],
  ])('%s', (_title, schema, args, expected) => {
    expect(parsed(schema, args)).toEqual(expected);
  });

  it.each<[string, z.ZodType, unknown, string]>([
    [
      'is required',
      z.object({ a: z.string(), b: z.string().optional() }),
      { a: null, b: null },
      'a: Invalid input: expected string, received null',
    ],
    [
      'is required in an array of objects',
      z.object({ all: z.array(item) }),
      { all: [{ name: null, note: null }] },
      'all.0.name: Invalid input: expected string, received null',
    ],
    [
      'is an item of an array',
      z.object({ all: z.array(z.string()) }),
      { all: ['x', null] },
      'all.1: Invalid input: expected string, received null',
    ],
    [
      'is a value of a record',
      z.object({ by: z.record(z.string(), z.string()) }),
      { by: { k: null } },
      'by.k: Invalid input: expected string, received null',
    ],
    [
      'stands beside another error',
      z.object({ a: z.string().optional(), b: z.int() }),
      { a: null, b: 'x' },
      'b: Invalid input: expected number, received string',
    ],
  ])('is refused by the name of its field when it %s', (_title, schema, args, expected) => {
    expect(parsed(schema, args)).toBe(expected);
  });

  it('leaves the given arguments as they are', () => {
    const args = Object.freeze({ deep: Object.freeze({ name: 'x', note: null }) });
    expect(parsed(z.object({ deep: item }), args)).toEqual({ deep: { name: 'x' } });
    expect(args).toEqual({ deep: { name: 'x', note: null } });
  });
});

describe('a large argument', () => {
  const schema = z.object({ all: z.array(item) });
  const COUNT = 50_000;

  it('may have null in each of its items', () => {
    const all = Array.from({ length: COUNT }, () => ({ name: 'x', note: null }));

    expect(parsed(schema, { all })).toEqual({ all: all.map(() => ({ name: 'x' })) });
  });

  it('is refused for its first wrong item', () => {
    const all = Array.from({ length: COUNT }, () => ({}));

    expect(parsed(schema, { all })).toBe('all.0.name: Invalid input: expected string, received undefined');
  });

  it('is looked at no further than its first wrong item, also when something before that is null', () => {
    let looked = 0;
    const counted = z.custom<string>((name) => ++looked > 0 && typeof name === 'string');
    const all = [{ name: 'x', note: null }, ...Array.from({ length: COUNT }, () => ({ name: 1 }))];

    const message = parsed(z.object({ all: z.array(item.extend({ name: counted })) }), { all });

    expect(message).toBe('all.1.name: Invalid input');
    expect(looked).toBeLessThan(10);
  });
});
