import { expect, it } from 'vitest';
import { contentOf } from './answer-content.js';

const form = {
  type: 'object',
  properties: { name: { type: 'string' }, count: { type: 'integer' }, agreed: { type: 'boolean' }, colours: { type: 'array' } },
};

it('reads each field as the form says', () => {
  expect(contentOf(form, ['name=7', 'count=7', 'agreed=false', 'colours=red', 'colours=blue'], undefined)).toEqual({
    name: '7',
    count: 7,
    agreed: false,
    colours: ['red', 'blue'],
  });
});

it('takes all of it as JSON, and fields beside it', () => {
  expect(contentOf(form, ['name=a=b'], '{"count":2}')).toEqual({ name: 'a=b', count: 2 });
});

it.each([
  ['a field that the form has not', ['colour=red'], undefined, 'the form has no field "colour"; it has: name, count, agreed, colours'],
  ['a number that is none', ['count='], undefined, 'count=: must be a number'],
  ['a boolean that is none', ['agreed=yes'], undefined, 'agreed=yes: must be true or false'],
  ['JSON that is no object', [], '[1]', '--content: must be a JSON object'],
  ['what is no JSON', [], '{', '--content: must be a JSON object'],
])('refuses %s', (_what, fields, json, message) => {
  expect(() => contentOf(form, fields, json)).toThrow(message);
});
