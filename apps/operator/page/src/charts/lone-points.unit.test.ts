import { expect, it } from 'vitest';
import { lonePoints } from './lone-points.js';

it.each([
  [[], []],
  [[1, 2, 3], []],
  [[1], [0]],
  [
    [1, null, 2, null, 3, 4],
    [0, 2],
  ],
  [[null, undefined, 5, undefined], [2]],
  [[1, 2, null, 3], [3]],
])('the values %j have points of their own at %j', (values, lone) => {
  expect(lonePoints(values)).toEqual(lone);
});
