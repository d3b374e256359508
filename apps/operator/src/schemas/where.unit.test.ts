import { MAX_SEARCHABLE_BYTES } from '@longhaul/tasks';
import { expect, it } from 'vitest';
import { argumentsIn, namesIn, Where } from './where.js';

it('reads names and values, with quotes around several words', () => {
  expect(argumentsIn(' orderId=4711  customer.name="Ada \\"L\\" Lovelace" query=a=b" ')).toEqual([
    { path: 'orderId', value: '4711' },
    { path: 'customer.name', value: 'Ada "L" Lovelace' },
    { path: 'query', value: 'a=b"' },
  ]);
  expect(argumentsIn('empty=""')).toEqual([{ path: 'empty', value: '' }]);
  expect(namesIn('orderId=4711 customer.id=7')).toBe('orderId customer.id');
});

it.each([
  ['', 'must be NAME=VALUE'],
  ['orderId', 'must be NAME=VALUE'],
  ['orderId=', 'must be NAME=VALUE'],
  ['name=Ada Lovelace', 'must be NAME=VALUE'],
  ['name="Ada', 'must be NAME=VALUE'],
  ['name="\\x"', 'must be NAME=VALUE'],
  ['a=1 '.repeat(9), 'names 9 arguments; at most 8 can be looked for'],
  [`a=${'x'.repeat(MAX_SEARCHABLE_BYTES + 1)}`, 'has a value of "a" that is longer than 1024 bytes'],
])('refuses %j', (text, message) => {
  expect(() => argumentsIn(text)).toThrow(message);
  expect(Where.safeParse(text).error?.issues[0]?.message).toContain(message);
});
