import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonSize } from './json-size.js';

it('is about what the JSON has', () =>
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: true }), (value) => {
      const exact = JSON.stringify(value).length;
      const size = jsonSize(value);
      expect(size).toBeGreaterThan(exact / 4 - 20);
      expect(size).toBeLessThan(exact * 5 + 20);
    }),
  ));

it('is known for large values', () => {
  expect(jsonSize('x'.repeat(5_000), 10_000)).toBe(5_002);
  expect(jsonSize({ list: ['x'.repeat(2_000), { deep: 'y'.repeat(3_000) }] }, 10_000)).toBeGreaterThan(5_000);
});

it('looks no further than it has to', () => {
  let looks = 0;
  const lazy = (): string[] =>
    new Proxy(
      Array.from({ length: 100 }, () => 'x'.repeat(100)),
      {
        get: (target, name, receiver) => {
          looks += 1;
          return Reflect.get(target, name, receiver) as unknown;
        },
      },
    );
  jsonSize([lazy(), lazy(), lazy()], 150);
  expect(looks).toBeLessThan(150);
});
