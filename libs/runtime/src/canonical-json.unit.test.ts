import { expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.js';

const parsed = (text: string): string => canonicalJson(JSON.parse(text));

it.each([
  ['{"b":{"d":1,"c":[{"f":1,"e":2}]},"a":null}', '{"a":null,"b":{"c":[{"e":2,"f":1}],"d":1}}'],
  ['{"10":1,"9":2,"a":3}', '{"9":2,"10":1,"a":3}'],
  ['{"a":1,"__proto__":{"z":1,"y":2}}', '{"__proto__":{"y":2,"z":1},"a":1}'],
  ['["b","a"]', '["b","a"]'],
])('members of %s stand in one order', (text, expected) => {
  expect(parsed(text)).toBe(expected);
});

it('an object and a list of its members differ', () => {
  expect(parsed('{"a":1}')).not.toBe(parsed('[["a",1]]'));
});
