import { expect, it } from 'vitest';
import { namedValues } from './named-values.js';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    count: { type: 'integer' },
    agreed: { type: 'boolean' },
    colours: { type: 'array', items: { type: 'string' } },
    sizes: { type: 'array', items: { type: 'number' } },
    place: { type: 'object' },
    any: { anyOf: [{ type: 'number' }, { type: 'string' }] },
    other: { anyOf: [{ type: 'number' }, { type: 'string' }] },
  },
};
const what = { owner: 'the form', flag: 'content' };
const read = (named: readonly string[], json?: string) => namedValues({ schema, named, json, what });

it('reads each field as the schema says', () => {
  expect(
    read(['name=7', 'count=7', 'agreed=false', 'colours=red', 'colours=blue', 'sizes=1', 'place={"x":1}', 'any=b', 'other=2']),
  ).toEqual({
    name: '7',
    count: 7,
    agreed: false,
    colours: ['red', 'blue'],
    sizes: [1],
    place: { x: 1 },
    any: 'b',
    other: 2,
  });
});

it('takes all of it as JSON, and fields beside it', () => {
  expect(read(['name=a=b'], '{"count":2}')).toEqual({ name: 'a=b', count: 2 });
});

it.each([
  ['a field that the schema has not', ['colour=red'], undefined, /the form has no field "colour"; it has: name, count, agreed/],
  ['a field that only every object has', ['__proto__=1'], undefined, /the form has no field "__proto__"/],
  ['a field that is given twice, and is no list', ['count=1', 'count=2'], undefined, 'count is given twice'],
  ['a number that is none', ['count='], undefined, 'count=: must be a number'],
  ['a boolean that is none', ['agreed=yes'], undefined, 'agreed=yes: must be true or false'],
  ['JSON that is no object', [], '[1]', '--content: must be a JSON object'],
  ['what is no JSON', [], '{', '--content: must be a JSON object'],
])('refuses %s', (_what, named, json, message) => {
  expect(() => read(named, json)).toThrow(message);
});
