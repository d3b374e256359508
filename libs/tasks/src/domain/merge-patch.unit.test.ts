import { expect, it } from 'vitest';
import { mergePatch } from './merge-patch.js';

it.each([
  [
    { a: 1, b: { c: 2, d: 3 } },
    { b: { c: null, e: 5 }, f: 6 },
    { a: 1, b: { d: 3, e: 5 }, f: 6 },
  ],
  [{ a: [1, { b: 2 }] }, { a: [3] }, { a: [3] }],
  [{ a: 'text' }, { a: { b: { c: null, d: 1 } } }, { a: { b: { d: 1 } } }],
  [{ a: 1 }, {}, { a: 1 }],
  [{ a: 1 }, { a: undefined, gone: null }, { a: 1 }],
  [{ a: 1 }, 'text', 'text'],
  [7, { a: 1 }, { a: 1 }],
  [{}, JSON.parse('{"__proto__":{"x":1}}'), JSON.parse('{"__proto__":{"x":1}}')],
])('%j with the patch %j is %j', (target, patch, expected) => expect(mergePatch(target, patch)).toEqual(expected));
