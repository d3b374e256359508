/** Checks that every feature in docs/internals/operating.md has a test. */
import { describe, expect, it } from 'vitest';
import { section, tableRows } from './documents.js';
import { missingTest } from './named-tests.js';

const rows = tableRows(section('docs/internals/operating.md', 'What there is, and the test that shows it')).map(
  ([asked = '', , test = '']) => ({
    asked,
    test,
  }),
);

describe('the table of what operators ask for', () => {
  it('has each of them once', () => {
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map(({ asked }) => asked)).size).toBe(rows.length);
  });

  it.each(rows)('names a test that exists for "$asked", and leads to its file', ({ test }) => {
    const [, path = '', target = '', title = ''] = /^\[(.+)\]\((.+)\) › (.+)$/.exec(test) ?? [];
    expect(target).toBe(`../../${path}`);
    expect(missingTest(`${path} › ${title}`)).toBeUndefined();
  });
});
