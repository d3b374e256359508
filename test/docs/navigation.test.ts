/** Checks that every page of the documentation stands in the navigation of the site and in the list of all pages. */
import { describe, expect, it } from 'vitest';
import { pathsOf, section, sorted, textOf } from './documents.js';

const named = (JSON.parse(textOf('site/navigation.json')) as { pages: string[] }[]).flatMap(({ pages }) => pages);

describe('the navigation', () => {
  it('has every page once', () => {
    expect(named.toSorted()).toEqual(
      sorted(pathsOf('docs/{,internals/}*.md').map((path) => path.slice('docs/'.length, -'.md'.length))).filter((page) => page !== 'index'),
    );
  });

  it('is the list of all pages, in the same order', () => {
    const listed = [...section('docs/index.md', 'All pages').matchAll(/\]\(([\w/-]+)\.md\)/g)].map(([, page]) => page);
    expect(listed).toEqual(named);
  });
});
