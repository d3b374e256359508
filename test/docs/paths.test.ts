/** Paths that documents name in backticks. */
import { describe, expect, it } from 'vitest';
import { documents, exists, pathsOf, textOf } from './documents.js';

/** From the root of the repository; what is in angle brackets or left out by dots is a name of the reader's. */
const PATH = /`((?:libs|apps|test|docs|scripts|deploy|bench|packages|examples|\.ci|\.github)\/[^`\s<>…]+)`/g;

/** The paths of a document's text, without those of its code blocks and without line numbers. */
function pathsIn(document: string): string[] {
  const prose = textOf(document).replaceAll(/```[\s\S]*?```/g, '');
  return [...prose.matchAll(PATH)].map(([, path = '']) => path.replace(/:\d+$/, ''));
}

function isThere(path: string): boolean {
  return exists(path) || pathsOf(path).length > 0 || pathsOf(`${path}.*`).length > 0;
}

describe('the paths that documents name', () => {
  // The change log tells of what is gone, and what is built is there after a build.
  it.each(documents.filter((document) => document !== 'CHANGELOG.md'))('are all there in %s', (document) => {
    expect(pathsIn(document).filter((path) => !path.includes('/dist/') && !isThere(path))).toEqual([]);
  });

  it('are found', () => {
    expect(pathsIn('docs/internals/architecture.md')).toContain('apps/gateway/src/http/mcp-routes.ts');
  });
});

describe('decisions', () => {
  it('are numbered without a gap', () => {
    const numbers = pathsOf('docs/adr/*.md').map((path) => Number(/(\d{4})-/.exec(path)?.[1]));
    expect(numbers).toEqual(numbers.map((_number, index) => index + 1));
  });
});
