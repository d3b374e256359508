import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, type RawSchema } from './define-tool.js';
import { taskTimesOf } from './task-times.js';

const INPUT = z.object({
  orderId: z.string(),
  customer: z.object({ id: z.int().optional() }),
  items: z.array(z.string()),
  meta: z.record(z.string(), z.string()),
});

const defined = (searchable: unknown, input: z.ZodObject | RawSchema = INPUT) =>
  defineTool({
    name: 'charge',
    description: 'Charges.',
    input,
    task: 'optional',
    searchable: searchable as readonly string[],
    run: async () => '',
  });

describe('the searchable arguments of a tool', () => {
  it('go into its tasks, and nothing does for other tools', () => {
    const searchable = ['orderId', 'customer.id', 'meta.region'];
    expect(taskTimesOf(defined(searchable), 1, 10)).toMatchObject({ searchable });
    expect(taskTimesOf(defined(undefined), 1, 10)).not.toHaveProperty('searchable');
  });

  it('are not checked where the schema does not say what there is', () => {
    for (const input of [{ type: 'object' }, { type: 'object', properties: { a: { anyOf: [] } }, additionalProperties: {} }] as const)
      expect(defined(['orderId', 'a.b'], input as unknown as RawSchema)).toMatchObject({ searchable: ['orderId', 'a.b'] });
  });

  it.each([
    [[], 'Tool charge: searchable must be a list of 1 to 8 paths of arguments, and is [].'],
    ['orderId', 'searchable must be a list'],
    [Array.from({ length: 9 }, (_, at) => `meta.${at}`), 'searchable must be a list of 1 to 8 paths'],
    [['orderID'], 'Tool charge: searchable: "orderID" is not in its input.'],
    [['customer.name'], '"customer.name" is not in its input'],
    [['items.0'], '"items.0" is not in its input'],
    [['items'], '"items" is an array, and must be a text, a number or a boolean'],
    [['customer'], '"customer" is an object'],
    [['orderId', 'orderId'], 'names a path twice: orderId, orderId'],
    [[7], '7 is no path of an argument, such as "customer.id"'],
    [['meta..a'], '"meta..a" is no path'],
    [['meta.a b'], '"meta.a b" is no path'],
    [[`meta.${'x'.repeat(130)}`], 'has 135 characters; at most 128 are allowed'],
  ])('refuse %j', (searchable, message) => {
    expect(() => defined(searchable)).toThrow(message);
  });
});
