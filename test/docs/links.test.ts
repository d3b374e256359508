/** Checks that links of the documents and of published texts lead to existing headings, also links to the repository on the web. */
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documents, exists, pathsOf, textOf } from './documents.js';

const REPOSITORY = /^https:\/\/github\.com\/longhaul-dev\/longhaul\/(?:blob|tree)\/main\//;

const pages = [...documents, ...pathsOf('{libs,apps,packages}/*/{,template/}README.md'), ...pathsOf('.github/**/*.md')];

/** The document without its blocks of code. */
function proseOf(path: string): string {
  return textOf(path).replaceAll(/^(```+).*\n[\s\S]*?^\1$/gm, '');
}

/** The anchors of the headings on a web page, in their order: the second one of a name has a number. */
function anchorsOf(path: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = [...proseOf(path).matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = '']) => {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = text.replaceAll(/[^\p{L}\p{M}\p{N}_ -]/gu, '').replaceAll(' ', '-');
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
  return new Set(anchors);
}

/** Where the links of a page lead within the repository: a path, and an anchor if there is one. */
function linksOf(page: string): { link: string; path: string; anchor: string | undefined }[] {
  const links = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.flatMap((link) => {
    const isOwn = REPOSITORY.test(link);
    if (!isOwn && /^[a-z]+:/.test(link)) return [];
    const [target = '', anchor] = link.replace(REPOSITORY, '').split('#');
    return [{ link, path: isOwn ? target : normalize(target === '' ? page : join(dirname(page), target)), anchor }];
  });
}

describe('the links', () => {
  it('are found', () => {
    expect(pages.flatMap(linksOf).filter(({ anchor }) => anchor !== undefined).length).toBeGreaterThan(50);
  });

  it.each(pages)('of %s lead to what is there', (page) => {
    const isDead = ({ path, anchor }: { path: string; anchor: string | undefined }): boolean =>
      !exists(path) || (anchor !== undefined && path.endsWith('.md') && !anchorsOf(path).has(anchor));
    expect(
      linksOf(page)
        .filter(isDead)
        .map(({ link }) => link),
    ).toEqual([]);
  });
});
