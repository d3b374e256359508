import { expect, it } from 'vitest';
import { argumentAt, MAX_SEARCHABLE_BYTES, searchableValues } from './searchable.js';

it('reads an argument by its path', () => {
  const args = { customer: { id: 7 }, 'a.b': 1, list: [1] };
  expect(argumentAt(args, 'customer.id')).toBe(7);
  for (const path of ['customer.name', 'customer.id.x', 'a.b', 'list.0', 'toString']) expect(argumentAt(args, path)).toBeUndefined();
});

it('has texts, numbers and booleans as texts, and nothing else', () => {
  const long = 'ä'.repeat(MAX_SEARCHABLE_BYTES / 2);
  const args = { text: 'A 1', number: 4711, flag: false, long, longer: `${long}a`, list: ['a'], object: {}, nothing: null };
  expect(searchableValues(args, [...Object.keys(args), 'absent'])).toEqual([
    { path: 'text', value: 'A 1' },
    { path: 'number', value: '4711' },
    { path: 'flag', value: 'false' },
    { path: 'long', value: long },
  ]);
});
