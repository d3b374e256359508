import { describe, expect, it } from 'vitest';
import { type Page, pageOf } from './page.js';

const items = ['a', 'b', 'c', 'd', 'e'];

function walk<T>(list: readonly T[], size: number): T[][] {
  const pages: T[][] = [];
  let params: object | undefined = {};
  while (params !== undefined) {
    const { items: page, nextCursor }: Page<T> = pageOf(list, params, size);
    pages.push([...page]);
    params = nextCursor === undefined ? undefined : { cursor: nextCursor };
  }
  return pages;
}

describe('pages of a list', () => {
  it.each([
    [1, [['a'], ['b'], ['c'], ['d'], ['e']]],
    [2, [['a', 'b'], ['c', 'd'], ['e']]],
    [5, [items]],
    [100, [items]],
  ])('of %i entries have each entry once, and the last one leads nowhere', (size, pages) => {
    expect(walk(items, size)).toEqual(pages);
  });

  it('of an empty list are one empty page', () => {
    expect(walk([], 2)).toEqual([[]]);
  });

  it('end early when the list has become shorter meanwhile', () => {
    const { nextCursor } = pageOf(items, undefined, 4);

    expect(pageOf(['a'], { cursor: nextCursor }, 4)).toEqual({ items: [] });
  });

  it.each(['', 'from:2', 'e', Buffer.from('from:02').toString('base64url'), Buffer.from('from:2x').toString('base64url')])(
    'begin at no other cursor: "%s"',
    (cursor) => {
      expect(() => pageOf(items, { cursor }, 2)).toThrow('Invalid cursor');
    },
  );
});
