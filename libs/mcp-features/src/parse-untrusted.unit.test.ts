import { InitializeRequestParamsSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseUntrusted } from './parse-untrusted.js';

const MANY = 100_000;
const items = (item: unknown): unknown[] => Array.from({ length: MANY }, () => item);
const entities = z.object({ entities: z.array(z.object({ name: z.string(), kinds: z.array(z.string()) })) });

describe('a value from outside', () => {
  it('is what the schema makes of it', () => {
    expect(parseUntrusted(z.object({ size: z.number().default(3) }), {})).toEqual({ success: true, data: { size: 3 } });
  });

  it('has all of its issues found when it is small', () => {
    const parsed = parseUntrusted(entities, { entities: [{ name: 1 }, { kinds: [2, 3] }] });

    expect(parsed.error?.issues.map(({ path }) => path.join('.'))).toEqual([
      'entities.0.name',
      'entities.0.kinds',
      'entities.1.name',
      'entities.1.kinds.0',
      'entities.1.kinds.1',
    ]);
  });

  it.each([
    ['a list of objects', entities, { entities: items({}) }],
    ['lists within lists', z.array(z.array(z.string())), [items(1), items(1)]],
    [
      'what a client says of itself',
      InitializeRequestParamsSchema,
      { protocolVersion: '1', capabilities: {}, clientInfo: { name: 'a', version: '1', icons: items({}) } },
    ],
  ])('is looked at up to its first wrong items when it is large: %s', (_name, schema, value) => {
    expect(parseUntrusted(schema as z.ZodType, value).error?.issues.length).toBeLessThan(10);
  });

  it('is accepted when it is large and right', () => {
    expect(parseUntrusted(z.array(z.number()), items(1)).success).toBe(true);
  });
});
