import { describe, expect, it } from 'vitest';
import { excessOf } from './excess-of.js';

const held = (network: string, bytes: number, since: number) => ({ network, bytes, since });

describe('what is let go of', () => {
  it('is nothing as long as all is within the limit', () => {
    expect(excessOf([held('a', 6, 1), held('b', 4, 2)], 10)).toEqual([]);
  });

  it('is what has been held for longest, and no more than needed', () => {
    expect(excessOf([held('a', 4, 2), held('a', 4, 1), held('a', 4, 3)], 8)).toEqual([held('a', 4, 1)]);
  });

  it('is of the network that has most, though another one has had its own for longer', () => {
    expect(excessOf([held('a', 3, 1), held('b', 4, 2), held('b', 4, 3)], 8)).toEqual([held('b', 4, 2)]);
  });

  it('is of several networks when none has more than the others', () => {
    const excess = excessOf([held('a', 5, 1), held('a', 5, 2), held('b', 5, 3), held('b', 5, 4)], 10);
    expect(excess).toEqual([held('a', 5, 1), held('b', 5, 3)]);
  });

  it('is the only one when it alone is too much', () => {
    expect(excessOf([held('a', 11, 1)], 10)).toEqual([held('a', 11, 1)]);
  });
});
